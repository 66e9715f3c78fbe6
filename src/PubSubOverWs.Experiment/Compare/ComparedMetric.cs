using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>Something that two runs are compared in: one value for each iteration.</summary>
/// <param name="Name">As tables name it.</param>
/// <param name="Unit">Of the values.</param>
/// <param name="Primary">False: exploratory; shown with an uncorrected p, and judged by nothing.</param>
/// <param name="Of">Null: the iteration has no such value.</param>
internal sealed record ComparedMetric(string Name, string Unit, bool Primary, Func<Scenario, IterationRow, double?> Of)
{
    public const string Loss = "loss rate";

    public static IReadOnlyList<ComparedMetric> All { get; } =
    [
        new(Loss, "percent of attempts", true, (_, row) => MetricReadings.LossPercent(row))
            { MarginOf = margins => margins.Loss, PerMarginUnit = 100 },
        new("mean latency", "ms", true, MetricReadings.LatencyMs) { MarginOf = margins => margins.Latency, PerMarginUnit = 0.001 },
        new("bytes to clients per delivered message", "bytes", true, (_, row) => MetricReadings.BytesPerDelivered(row))
            { MarginOf = margins => margins.Bytes },
        new("p50 of an iteration's latency", "ms", false, (scenario, row) => row.LatencyOf(scenario.Arrivals).P50 / 1000),
        new("p90 of an iteration's latency", "ms", false, (scenario, row) => row.LatencyOf(scenario.Arrivals).P90 / 1000),
        new("p99 of an iteration's latency", "ms", false, (scenario, row) => row.LatencyOf(scenario.Arrivals).P99 / 1000),
    ];

    /// <summary>The scenario's margin for it.</summary>
    public Func<Margins, Margin?> MarginOf { get; init; } = _ => null;

    /// <summary>What the unit of an absolute margin is in the unit of the values.</summary>
    public double PerMarginUnit { get; init; } = 1;
}
