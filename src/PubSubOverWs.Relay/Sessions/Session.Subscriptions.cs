namespace PubSubOverWs.Relay;

/// <content>What it is subscribed to.</content>
internal abstract partial class Session
{
    // Subscriptions, and messages that they give back; one that gives back more is not split.
    private const int ClosedInATurn = 32;

    private readonly List<Subscription> _subscriptions = [];

    public override void TellOfRoom()
    {
        Subscription[] subscriptions;
        lock (_subscriptions)
            subscriptions = [.. _subscriptions];
        foreach (var subscription in subscriptions)
        {
            if (subscription.TakeRoom())
                Relay.Broker.RoomAt(subscription.Destination);
        }
    }

    protected void Add(Subscription subscription)
    {
        lock (_subscriptions)
            _subscriptions.Add(subscription);
        Relay.Subscriptions.Add(subscription);
        Relay.Broker.RoomAt(subscription.Destination);
    }

    protected void Remove(Subscription subscription)
    {
        lock (_subscriptions)
            _subscriptions.Remove(subscription);
        subscription.LeaveInOrder();
        Relay.Subscriptions.Remove(subscription);
        Close(subscription);
    }

    // All at once, in constant time each: a message that one gives back must not go to another one of the same client.
    private Subscription[] Unregister()
    {
        Subscription[] subscriptions;
        lock (_subscriptions)
        {
            subscriptions = [.. _subscriptions];
            _subscriptions.Clear();
        }
        if (_ending!.IsInOrder)
            Array.ForEach(subscriptions, subscription => subscription.LeaveInOrder());
        Array.ForEach(subscriptions, Relay.Subscriptions.Remove);
        return subscriptions;
    }

    // A client may have thousands, with thousands of messages: between turns other sessions run.
    private async Task CloseInTurnsAsync(Subscription[] subscriptions)
    {
        var done = 0;
        foreach (var subscription in subscriptions)
        {
            if (done >= ClosedInATurn)
            {
                await Task.Yield();
                done = 0;
            }
            done += 1 + Close(subscription);
        }
    }

    private int Close(Subscription subscription)
    {
        var given = subscription.Close();
        // Messages that wait for room may have no subscriber now.
        Relay.Broker.RoomAt(subscription.Destination);
        return given;
    }
}
