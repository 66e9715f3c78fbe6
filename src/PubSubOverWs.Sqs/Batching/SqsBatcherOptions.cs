using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Sqs;

/// <summary>How single sends, deletes and visibility changes are gathered into batch calls.</summary>
public sealed class SqsBatcherOptions
{
    /// <summary>
    /// Calls under way at once, for each of send, delete and change of visibility. With fewer than that under way an entry leaves at once, alone;
    /// otherwise it waits for the next call, together with what has come until then.
    /// </summary>
    [Range(1, 256)]
    public int MaxCallsPerKind { get; set; } = 4;

    /// <summary>Entries that may wait for each kind, beyond those under way; a caller beyond that waits until there is room.</summary>
    [Range(1, 1_000_000)]
    public int MaxWaiting { get; set; } = 10_000;
}
