using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Nodes;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Workloads.Nodes;

/// <summary>Publishers and subscribers at several nodes, which go to the next when they are disconnected.</summary>
public sealed class NodesWorkload : IWorkload
{
    public ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        var nodes = (NodesScenario)scenario;
        return new NodesLoad(
            new NodesPlan(run, trial.Iteration)
            {
                Nodes = servers.Count,
                TopicSubscribers = nodes.TopicSubscribers,
                Queues = nodes.Queues,
                Messages = nodes.Messages,
                Arrival = new Arrival(NodesScenario.SpreadAt(trial.Level)),
                PayloadBytes = nodes.PayloadBytes,
                Deadline = nodes.Deadline,
                Seed = nodes.Seed,
            },
            servers);
    }
}
