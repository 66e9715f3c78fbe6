using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Record.Accounting;

/// <summary>Limits and ranks for the latencies of one iteration.</summary>
public static class Latencies
{
    /// <summary>A send that is later than this after due counts as late: 20 ms, docs/reference/method.md.</summary>
    public static readonly TimeSpan LargestLag = TimeSpan.FromMilliseconds(20);

    public static int LateSends(IEnumerable<Attempt> attempts) => attempts.Count(one => one.Sent - one.Due > LargestLag);
}

/// <summary>The latency of one iteration, in microseconds. A value is null where there are too few samples for it.</summary>
public sealed record LatencySummary
{
    /// <summary>Delivered attempts, from which all values but <see cref="RestrictedMean"/> are calculated.</summary>
    public required long Count { get; init; }

    /// <summary>Of delivered messages: comparable with the paper, but biased by survival. From 1 sample.</summary>
    public double? Mean { get; init; }

    /// <summary>With n - 1. From 2 samples.</summary>
    public double? StandardDeviation { get; init; }

    /// <summary>Of all attempts; those that were not delivered in time count as the deadline.</summary>
    public double? RestrictedMean { get; init; }

    /// <summary>From 20 samples, ten on either side.</summary>
    public double? P50 { get; init; }

    /// <summary>From 100 samples, ten of them above it.</summary>
    public double? P90 { get; init; }

    /// <summary>From 1,000 samples, ten of them above it.</summary>
    public double? P99 { get; init; }

    public double? Max { get; init; }

    public double? Min { get; init; }

    /// <summary>True: each value of delivered messages is there if there are enough of them, and only then.</summary>
    internal bool IsWhole =>
        new[] { (Mean, 1), (Max, 1), (Min, 1), (StandardDeviation, 2), (P50, 20), (P90, 100), (P99, 1000) }
            .All(one => (one.Item1 is not null) == (Count >= one.Item2));
}

/// <param name="deadline">The latency of an undelivered attempt in the restricted mean.</param>
internal sealed class LatencyTally(TimeSpan deadline)
{
    private readonly List<double> _delivered = [];
    private long _count;
    private double _restricted;

    /// <param name="latency">Null: it was not delivered, or its send time is not known.</param>
    public void Add(TimeSpan? latency, long times = 1)
    {
        var value = latency?.TotalMicroseconds;
        var limit = deadline.TotalMicroseconds;
        _count += times;
        _restricted += Math.Min(value ?? limit, limit) * times;
        for (var i = 0L; i < times && value is not null; i++)
            _delivered.Add(value.Value);
    }

    public LatencySummary Sum()
    {
        _delivered.Sort();
        // Of equal values the sum is rounded, and the quotient may lie beside them.
        var mean = _delivered.Count == 0 ? (double?)null : Math.Clamp(_delivered.Average(), _delivered[0], _delivered[^1]);
        return new LatencySummary
        {
            Count = _delivered.Count,
            Mean = mean,
            StandardDeviation = _delivered.Count < 2
                ? null
                : Math.Sqrt(_delivered.Sum(x => (x - mean!.Value) * (x - mean.Value)) / (_delivered.Count - 1)),
            RestrictedMean = _count == 0 ? null : _restricted / _count,
            P50 = Percentile(0.50, 20),
            P90 = Percentile(0.90, 100),
            P99 = Percentile(0.99, 1000),
            Max = _delivered.Count == 0 ? null : _delivered[^1],
            Min = _delivered.Count == 0 ? null : _delivered[0],
        };
    }

    private double? Percentile(double p, int needed) =>
        _delivered.Count < needed ? null : _delivered[(int)LatencyHistogram.Rank(p, _delivered.Count) - 1];
}
