namespace PubSubOverWs.Experiment.Reports;

/// <summary>The latency of a null echo at one level, in ms: what the set-up itself costs.</summary>
/// <param name="Users">The level.</param>
/// <param name="Iterations">One per block.</param>
/// <param name="Mean">Over iterations.</param>
/// <param name="Lowest">The lowest mean of an iteration.</param>
/// <param name="Highest">The highest mean of an iteration.</param>
public sealed record FloorRow(int Users, int Iterations, double? Mean, double? Lowest, double? Highest);
