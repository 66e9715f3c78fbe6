namespace PubSubOverWs.Experiment.Accounting;

/// <summary>Summarizes the latencies of one iteration.</summary>
public static class Latencies
{
    /// <summary>A message that was sent more than this after it was due is late: 20 ms, docs/method.md.</summary>
    public static readonly TimeSpan LargestLag = TimeSpan.FromMilliseconds(20);

    /// <summary>From the intended send: what open-loop work is judged by.</summary>
    public static LatencySummary FromDue(IEnumerable<Attempt> attempts, TimeSpan deadline) =>
        Summarize(attempts, deadline, attempt => attempt.LatencyFromDue);

    /// <summary>From the real send: what a burst is judged by.</summary>
    public static LatencySummary FromSent(IEnumerable<Attempt> attempts, TimeSpan deadline) =>
        Summarize(attempts, deadline, attempt => attempt.LatencyFromSent);

    /// <summary>
    /// 99th percentile of sent - due: how late the load itself was, whatever the number of samples. Null when nothing was sent.
    /// </summary>
    public static TimeSpan? ScheduleLagP99(IEnumerable<Attempt> attempts)
    {
        var lags = attempts.Where(one => one.Sent is not null).Select(one => one.Sent!.Value - one.Due).Order().ToArray();
        return lags.Length == 0 ? null : lags[Rank(lags.Length, 0.99)];
    }

    /// <summary>How many were sent more than <see cref="LargestLag"/> after they were due.</summary>
    public static int LateSends(IEnumerable<Attempt> attempts) => attempts.Count(one => one.Sent - one.Due > LargestLag);

    private static LatencySummary Summarize(IEnumerable<Attempt> attempts, TimeSpan deadline, Func<Attempt, TimeSpan?> latency)
    {
        var tally = new LatencyTally(deadline);
        foreach (var attempt in attempts)
            tally.Add(attempt.Outcome == Outcome.Delivered ? latency(attempt) : null);
        return tally.Sum();
    }

    // Nearest rank: the smallest sample that at least the share p of all samples does not exceed.
    internal static int Rank(int count, double p) => Math.Clamp((int)Math.Ceiling((p * count) - 1e-9) - 1, 0, count - 1);
}

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

/// <summary>Adds up the latencies of the attempts of one flow, one after the other.</summary>
/// <param name="deadline">What an attempt that was not delivered counts as in the restricted mean.</param>
internal sealed class LatencyTally(TimeSpan deadline)
{
    private readonly List<double> _delivered = [];
    private long _count;
    private double _restricted;

    /// <param name="latency">Null: it was not delivered, or it is not known when it was sent.</param>
    /// <param name="times">How many attempts are alike.</param>
    public void Add(TimeSpan? latency, long times = 1)
    {
        var (value, limit) = (latency?.TotalMicroseconds, deadline.TotalMicroseconds);
        _count += times;
        _restricted += Math.Min(value ?? limit, limit) * times;
        for (var i = 0L; i < times && value is not null; i++)
            _delivered.Add(value.Value);
    }

    public LatencySummary Sum()
    {
        _delivered.Sort();
        var mean = _delivered.Count == 0 ? (double?)null : _delivered.Average();
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
        _delivered.Count < needed ? null : _delivered[Latencies.Rank(_delivered.Count, p)];
}
