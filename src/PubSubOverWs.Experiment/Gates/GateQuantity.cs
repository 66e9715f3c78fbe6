namespace PubSubOverWs.Experiment.Gates;

/// <summary>What a gate asks of which arm.</summary>
/// <param name="Arm">direct or pubsub.</param>
/// <param name="Metric">One of <see cref="GateMetric.All"/>.</param>
public sealed record GateQuantity(string Arm, GateMetric Metric);
