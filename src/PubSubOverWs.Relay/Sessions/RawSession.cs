using System.Buffers;
using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>
/// A client of the raw relay: what it sends, text or binary, comes back to it through the server's path. It is a publisher and the
/// only subscriber of a destination of its own.
/// </summary>
internal sealed class RawSession : Session
{
    private readonly string _destination;
    private long _lastMessage;

    public RawSession(RelayContext relay, Connection connection)
        : base(relay, connection)
    {
        _destination = DestinationName.ForRaw(connection.Id);
        Add(new RawSubscription(connection, _destination));
    }

    protected override bool TryAct(bool endOfMessage)
    {
        if (Input.Count > Relay.Options.MaxMessageBytes)
        {
            End(WebSocketCloseStatus.MessageTooBig,
                $"The message is larger than {Relay.Options.MaxMessageBytes} bytes (Relay:MaxMessageBytes).");
            return false;
        }
        if (!endOfMessage)
            return false;
        var message = new Message(
            $"{Connection.Id}-{++_lastMessage}", _destination, [], Input.Span.ToArray(), Connection.Kind == WebSocketMessageType.Text);
        Input.Consume(Input.Count);
        CountAgainstRate();
        Publish([message], MemoryBudget.SizeOf(message));
        return false;
    }

    // The raw relay has no receipts, and a silently missing message is worse than a connection that ends.
    protected override void OnPublished(PublishOutcome outcome, string? receipt, Transaction? committed)
    {
        if (outcome == PublishOutcome.Shed)
            EndWith("A message found no room and is lost: receive as fast as you send, or speak STOMP, whose receipts say so.");
    }

    // The session may wait in a receive, and wakes when the client answers the close frame.
    protected override void OnRefused(BrokerRefusedException refusal, string? receipt)
    {
        Relay.Log.Refused(Connection.Id, refusal.Message);
        End(WebSocketCloseStatus.InternalServerError, refusal.Message);
        SayGoodbye();
    }
}

/// <summary>Returns its own messages to a raw relay client: the body alone, in the kind of message that it came in.</summary>
internal sealed class RawSubscription(Connection connection, string destination)
    : Subscription(connection, destination, AckMode.Auto, prefetch: 0)
{
    public override WebSocketMessageType Write(in OutboxEntry entry, PooledBuffer output)
    {
        output.Write(entry.Delivery!.Message.Body.Span);
        return entry.Delivery.Message.IsText ? WebSocketMessageType.Text : WebSocketMessageType.Binary;
    }
}
