namespace PubSubOverWs.Relay;

/// <content>What it is subscribed to.</content>
internal abstract partial class Session
{
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
        Relay.Subscriptions.Remove(subscription);
        Close(subscription);
    }

    // First none of them gets more: a message that one gives back must not go to another one of the same client.
    private async Task<Subscription[]> UnregisterAsync()
    {
        Subscription[] subscriptions;
        lock (_subscriptions)
        {
            subscriptions = [.. _subscriptions];
            _subscriptions.Clear();
        }
        await InTurnsAsync(subscriptions, Relay.Subscriptions.Remove);
        return subscriptions;
    }

    // A client may have thousands, with long names: between turns other sessions run.
    private static async Task InTurnsAsync(Subscription[] subscriptions, Action<Subscription> act)
    {
        for (var i = 0; i < subscriptions.Length; i++)
        {
            if (i > 0 && i % ClosedInATurn == 0)
                await Task.Yield();
            act(subscriptions[i]);
        }
    }

    private void Close(Subscription subscription)
    {
        subscription.Close();
        // Messages that wait for room may have no subscriber now.
        Relay.Broker.RoomAt(subscription.Destination);
    }
}
