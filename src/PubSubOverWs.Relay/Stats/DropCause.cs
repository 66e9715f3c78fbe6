namespace PubSubOverWs.Relay;

/// <summary>Why a server gave a message up.</summary>
public enum DropCause
{
    /// <summary>The destination had no subscriber, and the server does not store the message (direct server, topics, raw relay).</summary>
    NoSubscriber,

    /// <summary>
    /// Every subscriber's prefetch or outbox was full, or the delivery step was, and the server stores no messages, or no more.
    /// </summary>
    Shed,

    /// <summary>Its subscriber left without settling it, and there is no other.</summary>
    Closed,

    /// <summary>Subscribers gave it back too often.</summary>
    Undeliverable,
}
