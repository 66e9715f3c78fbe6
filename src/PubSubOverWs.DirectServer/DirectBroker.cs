using PubSubOverWs.Relay;

namespace PubSubOverWs.DirectServer;

/// <summary>Publish is deliver, at once. Stores nothing: what no subscriber can take now is gone, and counted.</summary>
public sealed class DirectBroker(Subscriptions subscriptions, RelayMeter meter) : IBroker
{
    public string Name => "direct";

    public QueueStats? Queue => null;

    public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(messages);
        var worst = PublishOutcome.Taken;
        for (var i = 0; i < messages.Count; i++)
        {
            var outcome = Deliver(new DirectDelivery(messages[i], this));
            if (outcome > worst)
                worst = outcome;
        }
        return new(worst);
    }

    public void RoomAt(string destination)
    {
        // Nothing waits for room here.
    }

    /// <summary>Offers what a subscriber gave back to the next one, at once.</summary>
    internal void DeliverAgain(DirectDelivery delivery, DropCause otherwise)
    {
        delivery.Redelivered = true;
        if (delivery.Deliveries >= DirectDelivery.MaxDeliveries)
            meter.AddDrop(DropCause.Undeliverable);
        else if (subscriptions.Deliver(delivery) != DeliverOutcome.Taken)
            meter.AddDrop(otherwise);
    }

    private PublishOutcome Deliver(DirectDelivery delivery)
    {
        switch (subscriptions.Deliver(delivery))
        {
            case DeliverOutcome.NoSubscriber:
                meter.AddDrop(DropCause.NoSubscriber);
                return PublishOutcome.NoSubscriber;
            case DeliverOutcome.NoRoom:
                meter.AddDrop(DropCause.Shed, delivery.WithoutRoom);
                return PublishOutcome.Shed;
            default:
                return PublishOutcome.Taken;
        }
    }
}
