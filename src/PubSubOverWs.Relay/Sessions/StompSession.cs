using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <summary>A STOMP client: CONNECT, heart-beats, receipts, errors, and the way from a frame to what it asks for.</summary>
/// <param name="bearer">The user whose token the handshake showed; null: it showed none.</param>
internal sealed partial class StompSession(RelayContext relay, Connection connection, User? bearer = null) : Session(relay, connection)
{
    private readonly StompReader _reader = new(relay.FrameLimits);
    private Handshake? _handshake;

    // Null: an anonymous client, which may do everything.
    private User? _user;
    private string? _disconnectReceipt;
    private bool _failed;
    private long _kept;
    private string? _lastDestination;
    private MessageHeaders _headers;
    private long _lastMinted;

    // Before CONNECTED no version is agreed on: 1.0, which has no escapes.
    private StompVersion Version => _handshake?.Version ?? StompVersion.V10;

    protected override bool TryAct(bool endOfMessage)
    {
        string? receipt = null;
        try
        {
            if (!_reader.TryRead(Input.Span, out var frame, out var consumed))
            {
                Input.Consume(consumed);
                return false;
            }
            receipt = frame.GetString(StompNames.Receipt);
            Act(frame, receipt);
            Input.Consume(consumed);
            return true;
        }
        catch (StompException exception)
        {
            Fail(exception.Message, exception.ReceiptId ?? receipt);
        }
        catch (NoCommonVersionException exception)
        {
            Fail(exception.Message, receipt, Handshake.KnownVersions);
        }
        return false;
    }

    // For things that the session keeps until it ends: transactions and subscriptions.
    private void Keep(long bytes, string what)
    {
        if (!Connection.Sent.TryAdd(bytes))
        {
            throw new StompException($"The server has no more memory for your {what}, which all connections share (Relay:SentBytesTotal): "
                + "have fewer or smaller ones, or try again later.");
        }
        _kept += bytes;
    }

    private void Forget(long bytes)
    {
        _kept -= bytes;
        Connection.Sent.Remove(bytes);
    }

    protected override void ForgetAll() => Forget(_kept);

    protected override void AnswerLast()
    {
        // The receipt of DISCONNECT says that everything before it was processed: not after an ERROR.
        if (!_failed)
            Answer(_disconnectReceipt);
    }

    private void Act(in StompFrame frame, string? receipt)
    {
        if (frame.Command is StompCommand.Connect or StompCommand.Stomp)
        {
            Connect(frame, receipt);
            return;
        }
        if (_handshake is null)
            throw new StompException($"{Name(frame.Command)} came before CONNECT: send CONNECT or STOMP first.");
        switch (frame.Command)
        {
            case StompCommand.Send:
                Send(frame, receipt);
                return;
            case StompCommand.Commit:
                Commit(frame, receipt);
                return;
            case StompCommand.Ack:
            case StompCommand.Nack:
                Acknowledge(frame, receipt);
                return;
            case StompCommand.Disconnect:
                _disconnectReceipt = receipt;
                End(WebSocketCloseStatus.NormalClosure, "", isInOrder: true);
                return;
            case StompCommand.Subscribe:
                Subscribe(frame);
                break;
            case StompCommand.Unsubscribe:
                Unsubscribe(frame);
                break;
            case StompCommand.Begin:
                Begin(frame);
                break;
            case StompCommand.Abort:
                Abort(frame);
                break;
            default:
                throw new StompException($"{Name(frame.Command)} is a server's frame: a client must not send it.");
        }
        Answer(receipt);
    }

    private void Send(in StompFrame frame, string? receipt)
    {
        CountAgainstRate();
        var message = ReadMessage(frame);
        if (!frame.TryGet(StompNames.Transaction, out _))
        {
            Publish([message], MemoryBudget.SizeOf(message) + MemoryBudget.SizeOf(receipt), receipt);
            return;
        }
        var transaction = Find(frame);
        MakeRoom(transaction, message, receipt);
        transaction.Messages.Add(message);
        if (receipt is not null)
            transaction.Receipts.Add(receipt);
    }

    protected override void OnPublished(PublishOutcome outcome, string? receipt, Transaction? committed)
    {
        if (committed is null)
            Answer(receipt, outcome);
        else
            Complete(committed, outcome);
    }

    protected override void OnRefused(BrokerRefusedException refusal, string? receipt) => FailAtOnce(refusal.Message, receipt);

    private Message ReadMessage(in StompFrame frame)
    {
        var id = frame.GetString(StompNames.Id) ?? $"{Connection.Id}-{++_lastMinted}";
        return new Message(id, ReadDestination(frame), _headers.Read(frame), frame.Body.ToArray(), IsTextInput);
    }

    // Clients tend to send to one destination, or to those that have a subscriber: such a name is there already.
    private string ReadDestination(in StompFrame frame)
    {
        frame.TryGet(StompNames.Destination, out var name);
        if (_lastDestination is not null && Ascii.Equals(name, _lastDestination))
            return _lastDestination;
        var destination = Relay.Subscriptions.Find(name) is { } known && DestinationName.IsOpen(known) ? known : RequireDestination(frame);
        if (_user is { } user && !user.MayPublish(destination))
            throw Forbidden("publish", destination);
        return _lastDestination = destination;
    }

    private StompException Forbidden(string what, string destination) => new(
        $"The user '{_user!.Login}' may not {what} to '{destination}': choose another destination, or have a prefix of it added to the "
            + "user's entry in the users file.");

    private static string RequireDestination(in StompFrame frame)
    {
        var destination = Require(frame, StompNames.Destination);
        return DestinationName.IsOpen(destination)
            ? destination
            : throw new StompException($"The destination '{destination}' is neither /queue/NAME nor /topic/NAME.");
    }

    private void Answer(string? receipt, PublishOutcome? outcome = null)
    {
        if (receipt is not null)
            Connection.Outbox.EnqueueControl(StompAnswers.Receipt(Version, receipt, outcome));
    }

    // One ERROR, however many publishes were refused: the client may not expect anything after it.
    private bool Fail(string what, string? receipt, string? versions = null)
    {
        if (Interlocked.Exchange(ref _failed, true))
            return false;
        Relay.Log.Refused(Connection.Id, what);
        Connection.Outbox.EnqueueControl(StompAnswers.Error(Version, what, receipt, versions), isLast: true);
        End(WebSocketCloseStatus.PolicyViolation, what);
        return true;
    }

    public override bool EndWith(string why) => !IsEnding && FailAtOnce(why, null);

    // From another thread: the session may wait in a receive, and wakes when the client answers the close frame.
    private bool FailAtOnce(string what, string? receipt)
    {
        // Only the first caller: a second one may get here before the first one's ERROR is in the outbox.
        if (!Fail(what, receipt))
            return false;
        SayGoodbye();
        return true;
    }

    private static string Name(StompCommand command) => command.ToString().ToUpperInvariant();

    private static string Require(in StompFrame frame, ReadOnlySpan<byte> name) =>
        frame.GetString(name) is { Length: > 0 } value
            ? value
            : throw new StompException($"{Name(frame.Command)} without the header '{Encoding.ASCII.GetString(name)}', which it requires.");
}
