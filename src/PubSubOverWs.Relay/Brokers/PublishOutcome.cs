namespace PubSubOverWs.Relay;

/// <summary>What became of a publish. Only <see cref="Taken"/> counts as acknowledged.</summary>
public enum PublishOutcome
{
    /// <summary>Direct: it is in an outbox, or in the buffer where there is one. Pubsub: the queue has it.</summary>
    Taken,

    /// <summary>Direct only: nobody subscribes to the destination; the message is gone, and counted.</summary>
    NoSubscriber,

    /// <summary>Direct only: nobody had room, nor had the buffer where there is one; the message is gone, and counted.</summary>
    Shed,
}
