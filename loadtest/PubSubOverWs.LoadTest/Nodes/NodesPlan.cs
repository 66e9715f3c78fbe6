namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>How large the proof is.</summary>
public sealed record NodesPlan
{
    /// <summary>Pubsub servers that share the work, 2 or more.</summary>
    public int Nodes { get; init; } = 3;

    /// <summary>Subscribers of the topic, spread over the nodes.</summary>
    public int Subscribers { get; init; } = 3_000;

    /// <summary>Messages to the topic, and then as many to queues.</summary>
    public int Messages { get; init; } = 10_000;

    /// <summary>Queue destinations; each has a subscriber at every node.</summary>
    public int Queues { get; init; } = 10;

    /// <summary>What happens to one of the nodes.</summary>
    public NodeFault Fault { get; init; } = NodeFault.Kill;

    /// <summary>For how long; a killed node stays away.</summary>
    public TimeSpan FaultFor { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The longest time without any arrival; then what is missing is missing. A killed node's messages come again after its visibility
    /// time-out.
    /// </summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(60);
}
