using System.Buffers;
using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>The way back to a raw relay client: the body alone, in the kind of message that it came in.</summary>
internal sealed class RawSubscription(Connection connection, string destination) : Subscription(connection, destination)
{
    public override WebSocketMessageType Write(in OutboxEntry entry, PooledBuffer output)
    {
        output.Write(entry.Delivery!.Message.Body.Span);
        return entry.Delivery.Message.IsText ? WebSocketMessageType.Text : WebSocketMessageType.Binary;
    }

    protected override void OnTaken(Delivery delivery) => delivery.OnTakenToFlush();

    public override void OnFlushed(Delivery delivery)
    {
        delivery.OnSettled();
        OnEnded(delivery);
    }

    public override void OnNotFlushed(Delivery delivery)
    {
        delivery.OnGivenBack(GiveBackReason.Closed);
        OnEnded(delivery);
    }
}
