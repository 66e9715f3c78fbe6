namespace PubSubOverWs.Experiment.Comparing;

/// <summary>Exact counts of one arm at one level, over its iterations.</summary>
public readonly record struct LossCount(long Lost, long Attempts);
