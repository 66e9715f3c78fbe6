using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>What figures are drawn from beside the tables.</summary>
/// <param name="Loss">Percent of sent messages, for each level and arm that has readings.</param>
/// <param name="Latency">ms, for each level and arm that has readings.</param>
/// <param name="Iterations">Every row that was not superseded, in the order in which they ran; floor and warm-up among them.</param>
/// <param name="Events">All of events.csv, starting and stopping too.</param>
public sealed record FigurePoints(
    IReadOnlyList<ArmPoint> Loss, IReadOnlyList<ArmPoint> Latency, IReadOnlyList<IterationPoint> Iterations,
    IReadOnlyList<EventRow> Events);
