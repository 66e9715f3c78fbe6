namespace PubSubOverWs.Relay;

/// <summary>Why a server gave a message up.</summary>
public enum DropCause
{
    /// <summary>Nobody subscribed to the destination, and this server stores nothing (direct), or needs not (topic, raw relay).</summary>
    NoSubscriber,

    /// <summary>
    /// Every subscriber's prefetch or outbox was full, or as many messages as may were being delivered, and this server stores nothing, or
    /// no more.
    /// </summary>
    Shed,

    /// <summary>Its subscriber left without settling it, and there is no other.</summary>
    Closed,

    /// <summary>Subscribers gave it back too often.</summary>
    Undeliverable,
}
