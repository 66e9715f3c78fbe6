namespace PubSubOverWs.Experiment.Scenarios;

/// <summary>One step of a run: the arms that share an iteration id, in the order in which they run.</summary>
/// <param name="Block">From 1.</param>
/// <param name="Users">The level.</param>
/// <param name="Iteration">Unique over the whole run, from 1.</param>
/// <param name="WarmUp">Recorded, flagged, left out.</param>
/// <param name="Arms">Two shuffled arms, or the floor alone.</param>
public sealed record PlannedIteration(int Block, int Users, int Iteration, bool WarmUp, IReadOnlyList<string> Arms);
