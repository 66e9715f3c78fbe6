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
        _destination = DestinationName.RawOf(connection.Id);
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
        Publish([message], MemoryBudget.Of(message));
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
