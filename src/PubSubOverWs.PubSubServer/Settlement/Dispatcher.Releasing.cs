namespace PubSubOverWs.PubSubServer;

/// <content>Gives messages back to the queue.</content>
internal sealed partial class Dispatcher
{
    /// <summary>
    /// The queue took the lease back (its receipt handle is stale), and will hand the messages out again: messages that wait here are
    /// dropped; those with subscribers are still deleted when they are settled, because that may yet succeed.
    /// </summary>
    public void Lost(Lease lease)
    {
        if (!lease.TryEnd(evenWithSubscribers: false))
            return;
        _flow.Leases.Remove([lease]);
        Abandon(lease);
        lease.DropAll();
        if (_flow.Urls.IsParked)
            _server.Parked.Forget();
    }

    /// <summary>
    /// The server begins to stop: subscribers get nothing more, and messages that no subscriber has go back to the queue at once. The
    /// others follow when subscribers give them back; those that subscribers still settle are deleted.
    /// </summary>
    public void StopOffering()
    {
        _stopping = true;
        foreach (var lease in _flow.Leases.All())
            ReleaseIdle(lease);
    }

    /// <summary>The server stops: all unsettled messages go back to the queue, visible at once.</summary>
    public void ReleaseAll()
    {
        _stopping = true;
        _reoffers.Writer.TryComplete();
        foreach (var lease in _flow.Leases.All())
            Release(lease, TimeSpan.Zero);
    }

    /// <summary>It goes back to the queue, visible at once, unless a subscriber has one of its messages.</summary>
    public void ReleaseIdle(Lease lease)
    {
        // What is no envelope is on its way to the dead-letter queue.
        if (lease.NoEnvelope is null && lease.TryEnd(evenWithSubscribers: false))
            ReleaseEnded(lease, TimeSpan.Zero);
    }

    // There is no memory for it now.
    private void ReleaseUnseen(Lease lease)
    {
        if (_flow.Urls.IsParked)
            _server.Parked.Forget();
        Release(lease, Detour());
    }

    private void Release(Lease lease, TimeSpan hidden)
    {
        if (lease.TryEnd(evenWithSubscribers: true))
            ReleaseEnded(lease, hidden);
    }

    private void ReleaseEnded(Lease lease, TimeSpan hidden)
    {
        lease.IsReleased = true;
        Abandon(lease);
        lease.DropAll();
        _flow.Leases.Shrink(lease);
        _settlement.Release(lease, hidden);
    }

    private void Abandon(Lease lease)
    {
        foreach (var message in lease.Messages)
        {
            _held.Remove(message);
            if (message.AllDeliveries > 0)
                _server.Deliveries.Remember((message.Message.Id, message.Message.Destination), message.AllDeliveries);
        }
    }
}
