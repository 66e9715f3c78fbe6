namespace PubSubOverWs.Relay;

/// <summary>The present subscribers of one destination: a queue gives a message to one of them in turn, a topic to all.</summary>
/// <param name="name">Of the destination.</param>
/// <param name="given">Counts what its subscribers were given and have not settled; null: nobody bounds that, or it is a topic.</param>
internal sealed class Destination(string name, GivenShare? given = null)
{
    private readonly Lock _gate = new();
    private readonly List<Subscription> _subscribers = [];
    private int _next;
    private bool _abandoned;

    public string Name { get; } = name;

    public bool IsTopic { get; } = DestinationName.IsTopic(name);

    /// <summary>False: the last subscriber left meanwhile and the destination is no longer looked up.</summary>
    public bool TryAdd(Subscription subscription)
    {
        lock (_gate)
        {
            if (_abandoned)
                return false;
            subscription.CountAt(given);
            _subscribers.Add(subscription);
            return true;
        }
    }

    /// <summary>True: it was the last one, and the destination is abandoned.</summary>
    public bool Remove(Subscription subscription)
    {
        lock (_gate)
        {
            _subscribers.Remove(subscription);
            return _abandoned = _subscribers.Count == 0;
        }
    }

    public DeliverOutcome Deliver(Delivery delivery)
    {
        lock (_gate)
        {
            if (_subscribers.Count == 0)
                return DeliverOutcome.NoSubscriber;
            return IsTopic ? DeliverToAll(delivery) : DeliverToNext(delivery);
        }
    }

    public void EndConnections(string why)
    {
        Subscription[] subscribers;
        lock (_gate)
            subscribers = [.. _subscribers];
        Array.ForEach(subscribers, subscriber => subscriber.EndConnection(why));
    }

    /// <summary>How many copies of a message are delivered now.</summary>
    public int Copies
    {
        get
        {
            lock (_gate)
                return IsTopic ? _subscribers.Count : 1;
        }
    }

    private DeliverOutcome DeliverToNext(Delivery delivery)
    {
        // Counted before it is offered: the subscriber may show it, settle it or give it back before TryTake returns.
        delivery.Deliveries++;
        for (var i = 0; i < _subscribers.Count; i++)
        {
            _next = _next + 1 < _subscribers.Count ? _next + 1 : 0;
            if (_subscribers[_next].TryTake(delivery))
                return DeliverOutcome.Taken;
        }
        delivery.Deliveries--;
        return DeliverOutcome.NoRoom;
    }

    private DeliverOutcome DeliverToAll(Delivery delivery)
    {
        var missed = 0;
        foreach (var subscriber in _subscribers)
        {
            if (!subscriber.TryTakeCopy(delivery))
                missed++;
        }
        delivery.WithoutRoom = missed;
        return missed == 0 ? DeliverOutcome.Taken : DeliverOutcome.Missed;
    }
}
