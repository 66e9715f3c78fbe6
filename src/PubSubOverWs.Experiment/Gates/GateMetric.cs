using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Statistics;
using static System.FormattableString;

namespace PubSubOverWs.Experiment.Gates;

/// <summary>Something that a gate can ask of one arm at one level.</summary>
/// <param name="Name">As it is written behind the arm.</param>
/// <param name="Unit">What a limit is written in.</param>
/// <param name="Of">Null: this level does not carry it, and the gate does not pass.</param>
/// <param name="Missing">Why it may be missing: half a sentence.</param>
public sealed record GateMetric(string Name, GateUnit Unit, Func<Scenario, ArmLevel, Quotient?> Of, string Missing)
{
    /// <summary>All there are. Rates are of counts over all iterations; latencies are those of the report's table.</summary>
    public static IReadOnlyList<GateMetric> All { get; } =
    [
        new("loss", GateUnit.Percent, (_, level) => Rate(level.Buckets.Lost, level.Buckets.Attempts), "nothing was attempted"),
        new("guarantee-loss", GateUnit.Percent, (_, level) => Guarantee(level),
            "nothing was acknowledged (run with --receipts), or the queue was not shown to be empty after every iteration"),
        new("late", GateUnit.Percent, (_, level) => Rate(level.Buckets.Late, level.Buckets.Attempts), "nothing was attempted"),
        new("duplicates", GateUnit.None, (_, level) => new Quotient(level.Anomalies.Duplicates, 1), ""),
        new("corrupted", GateUnit.None, (_, level) => new Quotient(level.Anomalies.Corrupted, 1), ""),
        new("latency.mean", GateUnit.Time, (scenario, level) => Latency(scenario, level, all => Every(all, one => one.Mean)?.Average()),
            "an iteration delivered nothing") { Reading = (scenario, row) => row.LatencyOf(scenario.Arrivals).Mean },
        new("latency.p50", GateUnit.Time, (scenario, level) => Latency(scenario, level, all => Middle(all, one => one.P50)),
            "an iteration has fewer than 20 samples") { Reading = (scenario, row) => row.LatencyOf(scenario.Arrivals).P50 },
        new("latency.p90", GateUnit.Time, (scenario, level) => Latency(scenario, level, all => Middle(all, one => one.P90)),
            "an iteration has fewer than 100 samples") { Reading = (scenario, row) => row.LatencyOf(scenario.Arrivals).P90 },
        new("latency.p99", GateUnit.Time, (scenario, level) => Latency(scenario, level, all => Middle(all, one => one.P99)),
            "an iteration has fewer than 1,000 samples") { Reading = (scenario, row) => row.LatencyOf(scenario.Arrivals).P99 },
        new("latency.max", GateUnit.Time, (scenario, level) => Latency(scenario, level, all => Every(all, one => one.Max)?.Max()),
            "an iteration delivered nothing"),
        new("bytes", GateUnit.None, (_, level) => Bytes(level), "the server did not tell, or an iteration delivered nothing")
            { Reading = (_, row) => row.Buckets.Delivered == 0 ? null : (double?)row.ClientBytes?.Total / row.Buckets.Delivered },
    ];

    /// <summary>
    /// What one iteration says of it, where two runs are held against each other by what varies between iterations: time in microseconds.
    /// </summary>
    public Func<Scenario, IterationRow, double?>? Reading { get; init; }

    /// <summary>True: it can be held against a baseline, as an exact rate or by its readings.</summary>
    public bool CanBeCompared => Unit == GateUnit.Percent || Reading is not null;

    /// <summary>A value of it, for a sentence.</summary>
    public string Format(Quotient value) => Unit switch
    {
        GateUnit.Percent => Invariant($"{value.Value * 100:0.####} %"),
        GateUnit.Time => Invariant($"{value.Value / 1000:0.###} ms"),
        _ => Invariant($"{value.Value:0.####}"),
    };

    private static Quotient? Rate(long count, long of) => of == 0 ? null : new Quotient(count, of);

    // A message that is still somewhere in a queue is not lost, and one that nobody counted may be.
    private static Quotient? Guarantee(ArmLevel level) => level.Rows.All(row => row.DrainState == DrainState.Proven)
        ? Rate(level.Buckets.LostAcknowledged, level.Buckets.Acknowledged)
        : null;

    // In microseconds, as they are recorded.
    private static Quotient? Latency(Scenario scenario, ArmLevel level, Func<LatencySummary[], double?> of) =>
        of([.. level.Rows.Select(row => row.LatencyOf(scenario.Arrivals))]) is { } value ? new Quotient((decimal)value, 1) : null;

    // None where one iteration has none: those that delivered something would speak for the one that delivered nothing.
    private static IEnumerable<double>? Every(LatencySummary[] all, Func<LatencySummary, double?> of) =>
        all.All(one => of(one) is not null) ? all.Select(one => of(one)!.Value) : null;

    // The middle iteration's: percentiles are not averaged. None where one iteration does not carry it.
    private static double? Middle(LatencySummary[] all, Func<LatencySummary, double?> percentile) => Median.Of(all.Select(percentile));

    private static Quotient? Bytes(ArmLevel level)
    {
        var bytes = level.Rows.Select(row => row.ClientBytes?.Total).ToArray();
        return level.Buckets.Delivered == 0 || bytes.Any(one => one is null)
            ? null
            : new Quotient(bytes.Sum()!.Value, level.Buckets.Delivered);
    }
}

/// <summary>What the limit of a gate is written in.</summary>
public enum GateUnit
{
    /// <summary>A number.</summary>
    None,

    /// <summary>A number and <c>%</c>, from 0 to 100; a zero needs none.</summary>
    Percent,

    /// <summary>A number and <c>us</c>, <c>ms</c> or <c>s</c>.</summary>
    Time,
}
