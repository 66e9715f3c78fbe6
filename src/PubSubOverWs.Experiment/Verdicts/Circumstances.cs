namespace PubSubOverWs.Experiment.Verdicts;

/// <summary>What holds for all rows of a run.</summary>
/// <param name="RunValid">No validity check is broken.</param>
/// <param name="NoiseFloor">The largest |R - 1| between two instances of one server; null: not measured.</param>
public sealed record Circumstances(bool RunValid, double? NoiseFloor);
