using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>A sensor, and clients that receive its measurements by several transports at once.</summary>
public sealed class TransportsExperiment(ScenarioKind kind, Analysis analysis) : Experiment, ISimultaneousLoad
{
    /// <summary>The published tests, the sweep of delays, what each transport costs, and what cuts do to it.</summary>
    public static IReadOnlyList<Experiment> All { get; } =
    [
        new TransportsExperiment(TransportsScenario.Experiment, TransportsAnalysis.Tests) { Targets = [new FeedTarget()] },
        new TransportsExperiment(TransportSweepScenario.Experiment, TransportsAnalysis.Sweep),
        new TransportsExperiment(TransportCostScenario.Experiment, TransportsAnalysis.Cost),
        new TransportsExperiment(TransportCutsScenario.Experiment, TransportsAnalysis.Cuts),
    ];

    public override ScenarioKind Kind => kind;

    public override Analysis Analysis => analysis;

    public override IReadOnlyList<Target> Targets { get; init; } = [];

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers) =>
        LoadTogether(scenario, [trial], run, servers);

    public IRoundLoad LoadTogether(Scenario scenario, IReadOnlyList<Trial> trials, string run, ServerGroup servers) =>
        new TransportsLoad(new TransportPlan((TransportScenario)scenario, trials, run), servers);
}
