using PubSubOverWs.Experiment.Experiments.Published;
using PubSubOverWs.Experiment.Metrics;

namespace PubSubOverWs.Experiment.Experiments.Replication;

/// <summary>One metric at every level: published beside measured.</summary>
/// <param name="Title">As the paper's table.</param>
/// <param name="Unit">Of every mean in it.</param>
/// <param name="Judged">False: shown only.</param>
/// <param name="Rows">In the order of the scenario's levels.</param>
public sealed record MetricTable(string Title, string Unit, bool Judged, IReadOnlyList<MetricRow> Rows);

/// <summary>One level of a metric.</summary>
/// <param name="Measured">What this run says.</param>
/// <param name="Published">What the paper prints; null: nothing.</param>
/// <param name="PublishedLoss">What the paper's Table I prints; null outside of it.</param>
/// <param name="Verdicts">By hypothesis; empty where the row is shown only.</param>
public sealed record MetricRow(
    Comparison Measured, PublishedRow? Published, PublishedLoss? PublishedLoss, IReadOnlyDictionary<string, RowVerdict> Verdicts);
