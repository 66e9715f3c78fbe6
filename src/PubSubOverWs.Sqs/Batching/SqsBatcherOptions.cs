using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Sqs;

/// <summary>How single sends, deletes and visibility changes are gathered into batch calls.</summary>
public sealed class SqsBatcherOptions
{
    /// <summary>Calls under way at once, for each of send, delete and change of visibility.</summary>
    [Range(1, 256)]
    public int MaxCallsPerKind { get; set; } = 4;

    /// <summary>
    /// With fewer calls of the kind under way an entry leaves at once, however few there are; with more, only full batches leave.
    /// Higher: less waiting, smaller batches, more calls.
    /// </summary>
    [Range(1, 256)]
    public int PartialCallsPerKind { get; set; } = 1;

    /// <summary>Entries of each kind that may wait for a call; a caller beyond that waits until there is room.</summary>
    [Range(1, 1_000_000)]
    public int MaxWaiting { get; set; } = 10_000;
}
