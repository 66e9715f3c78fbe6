using System.Collections.Concurrent;

namespace PubSubOverWs.Relay;

/// <summary>Who subscribes to what on this server, and the way out to them.</summary>
public sealed class Subscriptions
{
    private readonly DeliveryStep? _step;
    private readonly ConcurrentDictionary<string, Destination> _destinations = new(StringComparer.Ordinal);

    public Subscriptions()
    {
    }

    internal Subscriptions(DeliveryStep step) => _step = step.IsOn ? step : null;

    /// <summary>The destinations with a subscriber, as they are now.</summary>
    public ICollection<string> Destinations => _destinations.Keys;

    /// <summary>Whether the destination has a subscriber.</summary>
    public bool HasAny(string destination) => _destinations.ContainsKey(destination);

    /// <summary>
    /// Offers a delivery to the subscribers of its destination; never waits for one. <see cref="IBroker.RoomAt"/> may already be called
    /// for it while this returns <see cref="DeliverOutcome.NoRoom"/> or <see cref="DeliverOutcome.NoSubscriber"/>: a broker that keeps
    /// the delivery puts it where RoomAt finds it first, and offers it then.
    /// </summary>
    public DeliverOutcome Deliver(Delivery delivery)
    {
        ArgumentNullException.ThrowIfNull(delivery);
        if (!_destinations.TryGetValue(delivery.Message.Destination, out var destination))
            return DeliverOutcome.NoSubscriber;
        var outcome = _step is null ? destination.Deliver(delivery) : _step.Deliver(delivery, destination);
        if (outcome == DeliverOutcome.Taken && destination.IsTopic)
            delivery.OnSettled();
        return outcome;
    }

    /// <summary>
    /// Tells the subscribers of these destinations why, and ends their connections: they may have missed something, and nothing but the end of the connection says so in
    /// every protocol version.
    /// </summary>
    public void EndConnections(Func<string, bool> destinations, string why)
    {
        foreach (var (name, destination) in _destinations)
        {
            if (destinations(name))
                destination.EndConnections(why);
        }
    }

    /// <summary>From now on the step, if there is one, tells the broker when what it refused may be offered again.</summary>
    internal Subscriptions ServedBy(IBroker broker)
    {
        if (broker.Keeps)
            _step?.RoomAt = broker.RoomAt;
        return this;
    }

    internal void Add(Subscription subscription)
    {
        while (!_destinations.GetOrAdd(subscription.Destination, name => new Destination(name)).TryAdd(subscription))
        {
            // Abandoned between the look-up and the add: the one who abandons it removes it, and the next look-up makes a new one.
        }
    }

    /// <summary>The subscription gets no more. It is still to be closed.</summary>
    internal void Remove(Subscription subscription)
    {
        if (_destinations.TryGetValue(subscription.Destination, out var destination) && destination.Remove(subscription))
            _destinations.TryRemove(KeyValuePair.Create(subscription.Destination, destination));
    }
}
