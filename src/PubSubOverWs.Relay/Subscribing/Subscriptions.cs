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

    /// <summary>What clients were given and have not settled; null: nobody bounds it.</summary>
    internal GivenTotal? Given { get; private set; }

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
        if (destination.IsTopic && outcome is DeliverOutcome.Taken or DeliverOutcome.Missed)
            delivery.OnSettled();
        return outcome;
    }

    /// <summary>
    /// Tells the subscribers of these destinations why, and ends their connections: they may have missed something, and nothing but the end
    /// of the connection says so in every protocol version.
    /// </summary>
    public void EndConnections(Func<string, bool> destinations, string why)
    {
        foreach (var (name, destination) in _destinations)
        {
            if (destinations(name))
                destination.EndConnections(why);
        }
    }

    /// <summary>
    /// From now on what the broker bounds is bounded, and the step, if there is one, tells it when what was refused may be offered again.
    /// </summary>
    internal Subscriptions ServedBy(IBroker broker)
    {
        if (broker.Keeps)
            _step?.RoomAt = broker.RoomAt;
        if (broker.MostGiven is { } most)
            Given = new GivenTotal(most);
        return this;
    }

    internal void Add(Subscription subscription)
    {
        while (!_destinations.GetOrAdd(subscription.Destination, Create).TryAdd(subscription))
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

    private Destination Create(string name) => new(name, Given is null || DestinationName.IsTopic(name) ? null : new GivenShare(Given));
}
