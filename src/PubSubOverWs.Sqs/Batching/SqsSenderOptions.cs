using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Sqs;

/// <summary>How single sends are gathered into batch calls, section <c>Sqs:Sending</c>.</summary>
public sealed class SqsSenderOptions
{
    /// <summary>Send calls under way at once, 1 to 256.</summary>
    [Range(1, 256)]
    public int MaxCalls { get; set; } = 4;

    /// <summary>
    /// With fewer calls under way an entry leaves at once, however few there are; with more, only full batches leave. 1 to 256. Higher: less waiting,
    /// smaller batches, more calls; a queue that is far away wants more.
    /// </summary>
    [Range(1, 256)]
    public int PartialCalls { get; set; } = 1;

    /// <summary>Entries that may wait for a call, 1 to 1,000,000; a caller beyond that waits until there is room.</summary>
    [Range(1, 1_000_000)]
    public int MaxWaiting { get; set; } = 10_000;
}
