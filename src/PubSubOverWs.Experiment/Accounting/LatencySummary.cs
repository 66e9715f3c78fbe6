namespace PubSubOverWs.Experiment.Accounting;

/// <summary>The latency of one iteration, in microseconds. A value is null where the number of samples does not carry it.</summary>
public sealed record LatencySummary
{
    /// <summary>How many delivered attempts the values are from; for <see cref="RestrictedMean"/> it is all attempts.</summary>
    public required long Count { get; init; }

    /// <summary>Over what was delivered: comparable with the paper, but biased by survival. From 1 sample.</summary>
    public double? Mean { get; init; }

    /// <summary>With n - 1. From 2 samples.</summary>
    public double? StandardDeviation { get; init; }

    /// <summary>Over all attempts, with what was not delivered in time counted at the deadline.</summary>
    public double? RestrictedMean { get; init; }

    /// <summary>From 20 samples: ten on either side, as for the two below.</summary>
    public double? P50 { get; init; }

    /// <summary>From 100 samples.</summary>
    public double? P90 { get; init; }

    /// <summary>From 1,000 samples.</summary>
    public double? P99 { get; init; }

    public double? Max { get; init; }

    public double? Min { get; init; }
}
