namespace PubSubOverWs.Experiment.Design;

/// <summary>
/// What connections go through, alike in both directions, for as long as an iteration lasts. Each condition is there where its first
/// value is set; ranges are those of docs/faults.md.
/// </summary>
public sealed record NetworkConditions
{
    /// <summary>Bytes pass as they come.</summary>
    public static NetworkConditions Undisturbed { get; } = new();

    /// <summary>By how much bytes come later, in their order.</summary>
    public TimeSpan? Latency { get; init; }

    /// <summary>The latency of each chunk is drawn evenly from <see cref="Latency"/> - Jitter to <see cref="Latency"/> + Jitter.</summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>Of a connection, each direction for itself.</summary>
    public long? BytesPerSecond { get; init; }

    /// <summary>The mean size of the slices that bytes come in.</summary>
    public int? SliceBytes { get; init; }

    /// <summary>From the beginning of one standstill of a connection to that of the next.</summary>
    public TimeSpan? StallEvery { get; init; }

    /// <summary>How long it stands still.</summary>
    public TimeSpan StallFor { get; init; }

    /// <summary>When a connection is reset, once, from when it opened, give or take <see cref="ResetJitter"/>, drawn evenly.</summary>
    public TimeSpan? ResetAfter { get; init; }

    public TimeSpan ResetJitter { get; init; }

    /// <summary>How likely a connection is reset at all, drawn for each: 0 to 1.</summary>
    public double ResetShare { get; init; } = 1;

    /// <summary>How long every connection lasts until it is cut; one that is open at the beginning, a part that is drawn evenly.</summary>
    public TimeSpan? CutEvery { get; init; }
}
