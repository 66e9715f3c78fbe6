namespace PubSubOverWs.Relay;

/// <summary>Who subscribes to what, and the way out to them.</summary>
public sealed class Subscriptions
{
    private readonly Dictionary<string, int> _destinations = [];

    /// <summary>Offers a delivery to the subscribers of its destination; never waits for one.</summary>
    public DeliverOutcome Deliver(Delivery delivery)
    {
        ArgumentNullException.ThrowIfNull(delivery);
        return _destinations.Count == 0 ? DeliverOutcome.NoSubscriber : DeliverOutcome.NoRoom;
    }
}

internal sealed class Subscription;
