namespace PubSubOverWs.Relay;

/// <summary>What happens when a message finds its subscriber's outbox full (docs/decisions/0094).</summary>
public enum SlowConsumer
{
    /// <summary>
    /// The message has found no room: the pubsub server keeps it, the direct server tells its publisher (receipt <c>shed</c>) and counts
    /// it.
    /// </summary>
    Wait,

    /// <summary>As before, and the subscriber gets an ERROR that says so and is disconnected.</summary>
    Disconnect,
}
