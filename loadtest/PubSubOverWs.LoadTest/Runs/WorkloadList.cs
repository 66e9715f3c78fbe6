using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.FanOut;
using PubSubOverWs.Experiment.Experiments.IdleConnections;
using PubSubOverWs.Experiment.Experiments.Interference;
using PubSubOverWs.Experiment.Experiments.Nodes;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Experiments.RequestReply;
using PubSubOverWs.Experiment.Experiments.StalledReaders;
using PubSubOverWs.Experiment.Experiments.Transports;
using PubSubOverWs.LoadTest.Workloads;
using PubSubOverWs.LoadTest.Workloads.FanOut;
using PubSubOverWs.LoadTest.Workloads.IdleConnections;
using PubSubOverWs.LoadTest.Workloads.Interference;
using PubSubOverWs.LoadTest.Workloads.Nodes;
using PubSubOverWs.LoadTest.Workloads.OneWay;
using PubSubOverWs.LoadTest.Workloads.RequestReply;
using PubSubOverWs.LoadTest.Workloads.StalledReaders;
using PubSubOverWs.LoadTest.Workloads.Transports;
using PubSubOverWs.LoadTest.Workloads.Workers;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The workload of each experiment.</summary>
public static class WorkloadList
{
    public static IReadOnlyDictionary<ScenarioKind, IWorkload> All { get; } = new Dictionary<ScenarioKind, IWorkload>
    {
        [OneWayScenario.Experiment] = new OneWayWorkload(),
        [NodesScenario.Experiment] = new NodesWorkload(),
        [FanOutScenario.Experiment] = new FanOutWorkload(),
        [IdleConnectionsScenario.Experiment] = new IdleConnectionsWorkload(),
        [StalledReadersScenario.Experiment] = new StalledReadersWorkload(),
        [RequestReplyScenario.Experiment] = new RequestReplyWorkload(),
        [TransportsScenario.Experiment] = new TransportsWorkload(),
        [TransportSweepScenario.Experiment] = new TransportsWorkload(),
        [TransportCostScenario.Experiment] = new TransportsWorkload(),
        [TransportCutsScenario.Experiment] = new TransportsWorkload(),
        [InterferenceScenario.Experiment] = new InterferenceWorkload(),
    };

    /// <summary>The workload of an experiment whose clients several load processes can share.</summary>
    /// <param name="experiment">Its name.</param>
    /// <exception cref="InvalidOperationException">There is none: its scenarios have no key <c>workers</c>.</exception>
    public static ISharedWorkload Shared(string experiment) =>
        All.Single(one => one.Key.Name == experiment).Value as ISharedWorkload
            ?? throw new InvalidOperationException($"The clients of {experiment} cannot be shared.");
}
