namespace PubSubOverWs.Experiment.Statistics;

/// <summary>The value of one metric in one iteration of one arm.</summary>
public readonly record struct Reading(int Block, int Iteration, double Value);
