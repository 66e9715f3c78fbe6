using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>The rows of one arm at one level that are shown and not judged. The level has at least one iteration.</summary>
internal static class DetailBuilder
{
    public static LossRow Losses(ArmLevel level)
    {
        var sum = level.Buckets;
        var withLoss = level.Rows.Count(row => row.Buckets.Lost > 0);
        var dispersion = Dispersion.Index([.. level.Rows.Select(row => (double)row.Buckets.Lost)]);
        return new LossRow(
            level.Arm,
            level.Level,
            level.Rows.Count,
            sum,
            withLoss,
            ExactInterval.Of(withLoss, level.Rows.Count, 0.95),
            dispersion,
            dispersion <= Dispersion.LargestForMessages ? ExactInterval.Of(sum.Lost, sum.Attempts, 0.95) : null,
            level.Anomalies,
            Sum(level.Rows.Select(row => row.Drops), (sum, drops) => sum.Add(drops)))
        {
            NotDrained = level.Rows.Count(row => row.DrainState != DrainState.Proven),
        };
    }

    public static LatencyRow LatencyShape(ArmLevel level)
    {
        var shapes = level.Rows.Select(row => row.Latency).ToArray();
        return new LatencyRow(
            level.Arm,
            level.Users,
            shapes.Length,
            Mean(shapes.Select(shape => shape.Mean / 1000)),
            Mean(shapes.Select(shape => shape.RestrictedMean / 1000)),
            Median.Of(shapes.Select(shape => shape.P50 / 1000)),
            Median.Of(shapes.Select(shape => shape.P90 / 1000)),
            Median.Of(shapes.Select(shape => shape.P99 / 1000)),
            shapes.Max(shape => shape.Max / 1000),
            Mean(level.Rows.Select(row => row.FromDue.Mean / 1000)));
    }

    public static FloorRow Floor(ArmLevel level)
    {
        var means = level.Rows.Select(row => row.Latency.Mean / 1000).ToArray();
        return new FloorRow(level.Users, means.Length, Mean(means), means.Min(), means.Max());
    }

    public static EgressRow Egress(ArmLevel level) => new(
        level.Arm,
        level.Users,
        level.Buckets.Delivered,
        Sum(level.Rows.Select(row => row.ClientBytes), (sum, bytes) => sum.Add(bytes)),
        Sum(level.Rows.Select(row => row.Queue), (sum, traffic) => sum.Add(traffic)));

    public static LoadRow Load(RunRecord run, ArmLevel level)
    {
        var rows = level.Rows;
        var delivered = level.Buckets.Delivered;
        return new LoadRow(
            level.Arm,
            level.Users,
            (double)rows.Sum(row => (long)row.Connections) / rows.Sum(row => (long)row.Users),
            Mean(rows.Select(row => (double?)row.Connect.TotalMilliseconds)),
            run.Scenario.Arrivals.IsBurst ? null : run.Scenario.Attempts(level.Level) / run.Scenario.Arrivals.Spread.TotalSeconds,
            rows.Sum(row => row.Burst.TotalSeconds) is > 0 and var seconds ? delivered / seconds : null,
            rows.Max(row => row.ScheduleLagP99?.TotalMilliseconds),
            rows.Max(row => Validity.LoadCoreShare(run, row)),
            PerDelivered(rows.Select(row => row.Cpu.Server), delivered),
            PerDelivered(rows.Select(row => row.Cpu.Queue), delivered),
            PerDelivered(rows.Select(row => row.Cpu.Load), delivered),
            Mean(rows.Select(row => row.Cpu.Idle?.TotalMilliseconds)));
    }

    // A sum with an unknown part is unknown.
    private static double? PerDelivered(IEnumerable<TimeSpan?> times, long delivered)
    {
        var known = times.ToArray();
        return delivered == 0 || known.Any(time => time is null) ? null : known.Sum(time => time!.Value.TotalMicroseconds) / delivered;
    }

    private static T? Sum<T>(IEnumerable<T?> parts, Func<T, T, T> add)
        where T : struct
    {
        var known = parts.ToArray();
        return known.Any(part => part is null) ? null : known.Aggregate(default(T), (sum, part) => add(sum, part!.Value));
    }

    private static double? Mean(IEnumerable<double?> values) => values.Average();
}
