namespace PubSubOverWs.Experiment.Records;

/// <summary>A process and the cores that all of its threads may run on.</summary>
/// <param name="Process">For example <c>direct</c>, <c>queue</c>, <c>load</c>.</param>
/// <param name="Cores">As the system lists them: <c>0</c>, <c>1-3</c>.</param>
public sealed record PinnedProcess(string Process, string Cores);
