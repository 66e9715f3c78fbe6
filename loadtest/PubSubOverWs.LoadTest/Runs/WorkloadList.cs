using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.FanOut;
using PubSubOverWs.Experiment.Experiments.Interference;
using PubSubOverWs.Experiment.Experiments.Nodes;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Experiments.StalledReaders;
using PubSubOverWs.LoadTest.Workloads;
using PubSubOverWs.LoadTest.Workloads.FanOut;
using PubSubOverWs.LoadTest.Workloads.Interference;
using PubSubOverWs.LoadTest.Workloads.Nodes;
using PubSubOverWs.LoadTest.Workloads.OneWay;
using PubSubOverWs.LoadTest.Workloads.StalledReaders;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The workload of each experiment.</summary>
public static class WorkloadList
{
    public static IReadOnlyDictionary<ScenarioKind, IWorkload> All { get; } = new Dictionary<ScenarioKind, IWorkload>
    {
        [OneWayScenario.Experiment] = new OneWayWorkload(),
        [NodesScenario.Experiment] = new NodesWorkload(),
        [FanOutScenario.Experiment] = new FanOutWorkload(),
        [StalledReadersScenario.Experiment] = new StalledReadersWorkload(),
        [InterferenceScenario.Experiment] = new InterferenceWorkload(),
    };
}
