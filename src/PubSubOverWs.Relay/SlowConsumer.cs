namespace PubSubOverWs.Relay;

/// <summary>What happens when a message finds its subscriber's outbox full (docs/decisions/0094).</summary>
public enum SlowConsumer
{
    /// <summary>
    /// The message finds no room: the pubsub server keeps it, the direct server tells its publisher (receipt <c>shed</c>) and counts it.
    /// </summary>
    Wait,

    /// <summary>As <see cref="Wait"/>; the subscriber also gets an ERROR and is disconnected.</summary>
    Disconnect,
}
