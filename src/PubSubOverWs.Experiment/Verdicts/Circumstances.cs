namespace PubSubOverWs.Experiment.Verdicts;

/// <summary>What holds for all rows of a table.</summary>
/// <param name="RunValid">No validity check is broken.</param>
/// <param name="NoiseFloor">The largest |R - 1| of the metric between two instances of one server, of loss the largest difference in
/// percentage points; null: there is none.</param>
/// <param name="NoFloorBecause">Why there may be none.</param>
public sealed record Circumstances(bool RunValid, double? NoiseFloor, string NoFloorBecause = "noise floor not measured");
