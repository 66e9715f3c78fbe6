namespace PubSubOverWs.Record.Scenarios;

/// <summary>
/// Network conditions during an iteration, the same in both directions unless one says otherwise. A condition applies if its first value
/// is set; docs/reference/faults.md has the ranges.
/// </summary>
public sealed record NetworkConditions
{
    /// <summary>Bytes pass as they come.</summary>
    public static NetworkConditions Undisturbed { get; } = new();

    /// <summary>The delay of bytes, which stay in order.</summary>
    public TimeSpan? Latency { get; init; }

    /// <summary>The latency of each chunk is uniform from <see cref="Latency"/> - Jitter to <see cref="Latency"/> + Jitter.</summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>
    /// The latency of each chunk is lognormal with the mean <see cref="Latency"/> and this standard deviation; 0: see
    /// <see cref="Jitter"/>.
    /// </summary>
    public TimeSpan LatencyDeviation { get; init; }

    /// <summary>Of a connection, each direction for itself.</summary>
    public long? BytesPerSecond { get; init; }

    /// <summary>The mean size of the slices that bytes come in.</summary>
    public int? SliceBytes { get; init; }

    /// <summary>The time from the beginning of one stall of a connection to that of the next.</summary>
    public TimeSpan? StallEvery { get; init; }

    public TimeSpan StallFor { get; init; }

    /// <summary>True: only bytes to the server are stalled.</summary>
    public bool StallsUplinkOnly { get; init; }

    /// <summary>The probability that a chunk comes later by <see cref="ResentAfter"/>, as if it had been lost: 0 to 1.</summary>
    public double LostShare { get; init; }

    /// <summary>The retransmission time-out of what is lost.</summary>
    public TimeSpan ResentAfter { get; init; }

    /// <summary>The time from the opening of a connection to its reset, uniform within <see cref="ResetJitter"/>.</summary>
    public TimeSpan? ResetAfter { get; init; }

    public TimeSpan ResetJitter { get; init; }

    /// <summary>The probability that a connection is reset: 0 to 1.</summary>
    public double ResetShare { get; init; } = 1;

    /// <summary>The life time of every connection; of one that is open at the beginning, a uniform part of it.</summary>
    public TimeSpan? CutEvery { get; init; }
}
