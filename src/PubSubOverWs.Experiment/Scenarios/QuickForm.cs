namespace PubSubOverWs.Experiment.Scenarios;

/// <summary>The smaller form of a scenario that <c>--quick</c> runs.</summary>
public sealed record QuickForm(IReadOnlyList<int> Users, int Iterations, int Blocks);
