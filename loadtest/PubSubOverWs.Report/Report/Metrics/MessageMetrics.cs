using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Metrics;

/// <summary>The metrics of messages. Rates are counts over all iterations; latencies are those of the report's table.</summary>
public static class MessageMetrics
{
    private const string NothingDelivered = "an iteration delivered nothing";

    public static Metric Loss { get; } = new("loss rate", MetricUnit.Percent, (_, row) => row.Buckets.EndToEndLoss)
    {
        Primary = true,
        Gate = "loss",
        Count = (_, level) => Rate(level.Buckets.Lost, level.Buckets.Attempts),
        Missing = "nothing was attempted",
        MarginOf = margins => margins.Loss,
    };

    public static Metric GuaranteeLoss { get; } = new("guarantee loss", MetricUnit.Percent, null)
    {
        Gate = "guarantee-loss",
        NeedsReceipts = true,
        Count = (_, level) => Guarantee(level),
        Missing = "nothing was acknowledged (run with --receipts), or the queue was not shown to be empty after every iteration",
    };

    public static Metric Late { get; } = new("late", MetricUnit.Percent, null)
    {
        Gate = "late",
        Counted = "late",
        Count = (_, level) => Rate(level.Buckets.Late, level.Buckets.Attempts),
        Missing = "nothing was attempted",
    };

    public static Metric Duplicates { get; } = new("duplicates", MetricUnit.Messages, null)
    {
        Gate = "duplicates",
        Count = (_, level) => new Quotient(level.Anomalies.Duplicates, 1),
    };

    public static Metric Corrupted { get; } = new("corrupted", MetricUnit.Messages, null)
    {
        Gate = "corrupted",
        Count = (_, level) => new Quotient(level.Anomalies.Corrupted, 1),
    };

    public static Metric LostMessages { get; } = new("lost messages", MetricUnit.Messages, (_, row) => row.Buckets.Lost);

    public static Metric Latency { get; } = new(
        "mean latency", MetricUnit.Milliseconds, (_, row) => row.Latency.Mean)
    {
        Primary = true,
        Gate = "latency.mean",
        Count = (_, level) => OfLatency(level, all => Every(all, one => one.Mean)?.Average()),
        Missing = NothingDelivered,
        MarginOf = margins => margins.Latency,
    };

    public static Metric LatencyP50 { get; } = Percentile("p50", 20, one => one.P50);

    public static Metric LatencyP90 { get; } = Percentile("p90", 100, one => one.P90);

    public static Metric LatencyP99 { get; } = Percentile("p99", 1_000, one => one.P99);

    public static Metric LatencyMax { get; } = new("largest latency", MetricUnit.Milliseconds, null)
    {
        Gate = "latency.max",
        Count = (_, level) => OfLatency(level, all => Every(all, one => one.Max)?.Max()),
        Missing = NothingDelivered,
    };

    public static Metric Bytes { get; } = new(
        "bytes to clients per delivered message", MetricUnit.Bytes, (_, row) => PerDelivered(row, row.ClientBytes?.Total))
    {
        Primary = true,
        Gate = "bytes",
        Count = (_, level) => OfBytes(level),
        Missing = "the server did not report bytes, or an iteration delivered nothing",
        IsOfTrial = true,
        MarginOf = margins => margins.Bytes,
    };

    /// <summary>CPU time of the server under test; without that of a queue in a process of its own.</summary>
    public static Metric ServerCpu { get; } = new(
        "server CPU per delivered message", MetricUnit.Microseconds, (_, row) => PerDelivered(row, row.Cpu.Server?.TotalMicroseconds));

    /// <summary>Over a window that is the same for both arms: the deadline.</summary>
    public static Metric KbpsOverDeadline { get; } = new(
        "bandwidth out over the deadline", MetricUnit.Kbps, (scenario, row) => Kbps(row.ClientBytes?.Total, scenario.Deadline))
    { IsOfTrial = true };

    /// <summary>Over the arm's own duration, where a slower arm looks thriftier.</summary>
    public static Metric KbpsOverBurst { get; } = new(
        "bandwidth out over the arm's own duration", MetricUnit.Kbps, (_, row) => Kbps(row.ClientBytes?.Total, row.Burst))
    { IsOfTrial = true };

    public static IReadOnlyList<Metric> Gates { get; } =
        [Loss, GuaranteeLoss, Late, Duplicates, Corrupted, Latency, LatencyP50, LatencyP90, LatencyP99, LatencyMax, Bytes];

    /// <summary>The metrics of <c>compare</c>.</summary>
    public static IReadOnlyList<Metric> Compared { get; } = [Loss, Latency, Bytes, LatencyP50, LatencyP90, LatencyP99];

    /// <summary>Null: nothing was delivered, or the amount is not known.</summary>
    public static double? PerDelivered(IterationRow row, double? amount) =>
        row.Buckets.Delivered == 0 ? null : amount / row.Buckets.Delivered;

    private static Metric Percentile(string name, int least, Func<LatencySummary, double?> of) => new(
        $"{name} of an iteration's latency", MetricUnit.Milliseconds, (_, row) => of(row.Latency))
    {
        Gate = $"latency.{name}",
        // The middle iteration's: percentiles are not averaged. None where one iteration does not carry it.
        Count = (_, level) => OfLatency(level, all => Median.Compute(all.Select(of))),
        LeastSamples = least,
        Missing = Invariant($"an iteration has fewer than {least:N0} samples"),
    };

    private static Quotient? Rate(long count, long of) => of == 0 ? null : new Quotient(count, of);

    // A message that is still in a queue is not lost, but one that was not counted may be.
    private static Quotient? Guarantee(ArmLevel level) => level.Rows.All(row => row.DrainState == DrainState.Proven)
        ? Rate(level.Buckets.LostAcknowledged, level.Buckets.Acknowledged)
        : null;

    // In microseconds, as they are recorded.
    private static Quotient? OfLatency(ArmLevel level, Func<LatencySummary[], double?> of) =>
        of([.. level.Rows.Select(row => row.Latency)]) is { } value ? new Quotient((decimal)value, 1) : null;

    // None where one iteration has none: those that delivered something would speak for the one that delivered nothing.
    private static IEnumerable<double>? Every(LatencySummary[] all, Func<LatencySummary, double?> of) =>
        all.All(one => of(one) is not null) ? all.Select(one => of(one)!.Value) : null;

    private static Quotient? OfBytes(ArmLevel level)
    {
        var bytes = level.Rows.Select(row => row.ClientBytes?.Total).ToArray();
        return level.Buckets.Delivered == 0 || bytes.Any(one => one is null)
            ? null
            : new Quotient(bytes.Sum()!.Value, level.Buckets.Delivered);
    }

    private static double? Kbps(long? bytes, TimeSpan time) => time <= TimeSpan.Zero ? null : bytes * 8 / 1000.0 / time.TotalSeconds;
}
