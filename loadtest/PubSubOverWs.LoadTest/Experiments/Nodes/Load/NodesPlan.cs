using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Nodes.Load;

/// <summary>One iteration.</summary>
/// <param name="Scenario">How many clients and messages there are.</param>
/// <param name="Run">Distinguishes its messages and destinations from those of any other run.</param>
/// <param name="Iteration">From those of any other that meets the same servers.</param>
/// <param name="Arrival">When messages are due.</param>
public sealed record NodesPlan(NodesScenario Scenario, string Run, int Iteration, Arrival Arrival)
{
    /// <summary>The place in <see cref="NodesScenario.Flows"/>, as is <see cref="ToQueues"/>.</summary>
    public const int ToTopic = 0;

    public const int ToQueues = 1;

    public int Nodes => Scenario.PubSubNodes;

    /// <summary>To the topic, and as many to queues.</summary>
    public int Messages => Scenario.Messages;

    public string Topic => Invariant($"/topic/{Run}-{Iteration}");

    /// <summary>The prefix of the ids of a flow's messages; their number follows.</summary>
    /// <param name="flow"><see cref="ToTopic"/> or <see cref="ToQueues"/>.</param>
    public string Prefix(int flow) => Invariant($"{Run}-{Iteration}-{(flow == ToTopic ? 't' : 'q')}-");

    /// <param name="queue">From 0.</param>
    public string Queue(int queue) => Invariant($"/queue/{Run}-{Iteration}-{queue}");

    /// <summary>When a message is due, from the first due: one to the topic and one to a queue take turns.</summary>
    /// <param name="flow"><see cref="ToTopic"/> or <see cref="ToQueues"/>.</param>
    /// <param name="number">Of the flow, from 0.</param>
    public TimeSpan DueAt(int flow, int number) => Arrival.DueAt((2L * number) + flow, 2L * Messages);

    /// <summary>Of one client: the same in every arm.</summary>
    /// <param name="client">From 0.</param>
    public Backoff BackoffOf(int client) =>
        new(Draws.For(Scenario.Seed, Iteration, 2 * client), TimeSpan.Zero);
}
