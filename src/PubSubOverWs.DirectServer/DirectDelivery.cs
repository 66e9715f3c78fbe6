using PubSubOverWs.Relay;

namespace PubSubOverWs.DirectServer;

/// <summary>A message that lives only as long as its subscriber has it.</summary>
internal sealed class DirectDelivery(Message message, DirectBroker broker) : Delivery(message)
{
    /// <summary>As in the pubsub server (<c>Sqs:MaxDeliveries</c>): a message that every subscriber gives back ends here.</summary>
    public const int MaxDeliveries = 10;

    protected override void OnSettled()
    {
        // Nothing is kept that would be deleted.
    }

    protected override void OnGivenBack(GiveBackReason reason) =>
        broker.DeliverAgain(this, reason == GiveBackReason.Closed ? DropCause.Closed : DropCause.Undeliverable);
}
