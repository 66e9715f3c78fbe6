namespace PubSubOverWs.Experiment.Reports;

/// <summary>One arm in one iteration, as figures show it.</summary>
/// <param name="Arm">An arm, or floor.</param>
/// <param name="Users">The level.</param>
/// <param name="Block">From 1.</param>
/// <param name="Iteration">Unique over the run; the arms of a pair share it.</param>
/// <param name="WarmUp">Recorded, and left out of what is judged.</param>
/// <param name="StartSeconds">From the start of the run.</param>
/// <param name="Seconds">Connecting, burst and drain.</param>
/// <param name="LatencyMs">The mean of what was delivered; null: nothing was.</param>
/// <param name="LossPercent">Of sent messages; null: none was sent.</param>
public sealed record IterationPoint(
    string Arm, int Users, int Block, int Iteration, bool WarmUp, double StartSeconds, double Seconds, double? LatencyMs,
    double? LossPercent);
