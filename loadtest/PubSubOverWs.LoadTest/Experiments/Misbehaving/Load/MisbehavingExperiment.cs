using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;

/// <summary>Well-behaved clients, without and beside others that misbehave.</summary>
public sealed class MisbehavingExperiment : Experiment
{
    private const double MiB = 1024 * 1024;

    public override ScenarioKind Kind => MisbehavingScenario.Experiment;

    public override Analysis Analysis => MisbehavingAnalysis.Analysis;

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        var misbehaving = (MisbehavingScenario)scenario;
        return new MisbehavingLoad(
            misbehaving, Invariant($"{run}-{trial.Iteration}"), servers,
            new OtherClients(servers.TargetOf(0), MisbehavingScenario.WayOf(trial.Level), misbehaving.Misbehaving));
    }

    public override IReadOnlyDictionary<string, double?> Measures(TrialOutcome outcome) =>
        new Dictionary<string, double?>(outcome.Measured.Measures)
        {
            [MisbehavingScenario.MemoryBound.Name] = outcome.Measured.Stats is [{ After: { } stats }, ..]
                ? ServerState.Parse(stats).MemoryBoundBytes / MiB
                : null,
        };
}
