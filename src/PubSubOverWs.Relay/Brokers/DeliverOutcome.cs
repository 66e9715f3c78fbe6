namespace PubSubOverWs.Relay;

/// <summary>What <see cref="Subscriptions.Deliver"/> did with a delivery.</summary>
public enum DeliverOutcome
{
    /// <summary>Queue: one subscription took it and will settle it or give it back. Topic: every present subscription took it.</summary>
    Taken,

    /// <summary>Nobody subscribes to the destination. The delivery is still the broker's.</summary>
    NoSubscriber,

    /// <summary>
    /// Queue: no subscription has room in its prefetch and its outbox. Topic: some had none; those that took it are remembered, and
    /// the next call offers it to the others only. Either: as many messages as may are in the step (<see cref="DeliveryOptions"/>). The delivery is still the broker's; <see cref="IBroker.RoomAt"/> tells when to try again.
    /// </summary>
    NoRoom,
}
