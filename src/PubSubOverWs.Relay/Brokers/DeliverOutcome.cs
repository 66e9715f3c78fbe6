namespace PubSubOverWs.Relay;

/// <summary>What <see cref="Subscriptions.Deliver"/> did with a delivery.</summary>
public enum DeliverOutcome
{
    /// <summary>
    /// Queue: one subscription took it and will settle it or give it back. Topic: every present subscription has its copy.
    /// </summary>
    Taken,

    /// <summary>
    /// Topic only: every present subscription was offered its copy, and <see cref="Delivery.WithoutRoom"/> of them had no room for it:
    /// those are gone, and to be counted.
    /// </summary>
    Missed,

    /// <summary>Nobody subscribes to the destination. The delivery is still the broker's.</summary>
    NoSubscriber,

    /// <summary>
    /// Queue: no subscription has room in its prefetch, its share and its outbox. Either: as many messages as may are in the step
    /// (<see cref="DeliveryOptions"/>). The delivery is still the broker's; <see cref="IBroker.RoomAt"/> tells when to try again.
    /// </summary>
    NoRoom,
}
