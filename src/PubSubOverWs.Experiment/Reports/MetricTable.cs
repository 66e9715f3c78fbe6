namespace PubSubOverWs.Experiment.Reports;

/// <summary>One metric at every level: published beside measured.</summary>
/// <param name="Title">As the paper's table.</param>
/// <param name="Unit">Of every mean in it.</param>
/// <param name="Judged">False: shown only.</param>
/// <param name="Rows">In the order of the scenario's levels.</param>
public sealed record MetricTable(string Title, string Unit, bool Judged, IReadOnlyList<MetricRow> Rows);
