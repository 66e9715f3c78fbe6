using System.Buffers;
using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>Returns its own messages to a raw relay client: the body alone, in the kind of message that it came in.</summary>
/// <param name="connection">Of the client.</param>
/// <param name="destination">The client's own.</param>
internal sealed class RawSubscription(Connection connection, string destination)
    : Subscription(connection, destination, AckMode.Auto, prefetch: 0)
{
    public override WebSocketMessageType Write(in OutboxEntry entry, PooledBuffer output)
    {
        output.Write(entry.Delivery!.Message.Body.Span);
        return entry.Delivery.Message.IsText ? WebSocketMessageType.Text : WebSocketMessageType.Binary;
    }
}
