using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.PubSubServer;

/// <summary>How publishes are gathered into calls, section <c>Sqs:Sending</c>.</summary>
internal sealed class SendingOptions
{
    /// <summary>
    /// Publishes that one SQS message may carry, 1 (each has its own) to 1,000, as far as they have 64 KiB together. None waits for others:
    /// those share an SQS message that come while a call is under way. More cost less CPU and fewer calls; but after a kill all that shared
    /// an SQS message with an unsettled message are delivered again, and one that is given back or waits is parted from the others, which
    /// costs a send and a delete.
    /// </summary>
    [Range(1, 1_000)]
    public int Pack { get; set; } = 50;

    /// <summary>Send calls under way at once, 1 to 256.</summary>
    [Range(1, 256)]
    public int MaxCalls { get; set; } = 4;

    /// <summary>
    /// With fewer calls under way a publish leaves at once, however few there are; with more, only full batches leave. 1 to 256. Higher:
    /// less waiting, smaller batches, more calls; a queue that is far away wants more.
    /// </summary>
    [Range(1, 256)]
    public int PartialCalls { get; set; } = 1;

    /// <summary>Publishes that may wait for a call, 1 to 1,000,000; more wait until there is room.</summary>
    [Range(1, 1_000_000)]
    public int MaxWaiting { get; set; } = 10_000;
}
