using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <summary>A STOMP client: CONNECT, heart-beats, receipts, errors, and the way from a frame to what it asks for.</summary>
/// <param name="bearer">Whose token the handshake showed; null: nobody's.</param>
internal sealed partial class StompSession(RelayContext relay, Connection connection, User? bearer = null) : Session(relay, connection)
{
    private readonly StompReader _reader = new(relay.FrameLimits);
    private readonly long _opened = relay.Time.GetTimestamp();
    private Handshake? _handshake;

    // Null: nobody in particular, who may do everything.
    private User? _user;
    private volatile bool _isLoggingIn;
    private string? _disconnectReceipt;
    private bool _failed;
    private long _kept;

    // Before CONNECTED a client knows of no version and so of no escapes, which 1.0 has not.
    private StompVersion Version => _handshake?.Version ?? StompVersion.V10;

    private string LateSentence => _isLoggingIn
        ? $"The login was not checked within {Relay.Options.ConnectTimeout.TotalSeconds:0.###} s (Relay:ConnectTimeout), for others came "
            + "before it: try again in some seconds."
        : NoConnect(Relay.Options);

    /// <summary>Said to a client that should have connected by now.</summary>
    public static string NoConnect(RelayOptions options) =>
        $"No CONNECT came within {options.ConnectTimeout.TotalSeconds:0.###} s (Relay:ConnectTimeout): send CONNECT or STOMP first.";

    public override void Tick()
    {
        base.Tick();
        if (IsEnding)
            return;
        var now = Relay.Time.GetTimestamp();
        if (_handshake is { } agreed)
            Beat(agreed, now);
        else if (Relay.Time.GetElapsedTime(_opened, now) > Relay.Options.ConnectTimeout)
            FailAtOnce(LateSentence, null);
    }

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

    // What it keeps until it ends: transactions and subscriptions.
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
        // Its receipt says that all before it was processed: not after an ERROR.
        if (!_failed)
            Answer(_disconnectReceipt);
    }

    private void Beat(in Handshake agreed, long now)
    {
        // A tick early rather than a tick late. What still waits in the outbox will be sign enough, as soon as the client reads.
        var isSilent = Relay.Time.GetElapsedTime(Connection.LastSent, now) > agreed.Sends - 2 * SessionClock.Period;
        if (agreed.Sends > TimeSpan.Zero && isSilent && Connection.Outbox.IsIdle)
            Connection.Outbox.EnqueueControl(StompAnswers.HeartBeat);
        if (agreed.Expects == TimeSpan.Zero)
            return;
        if (Relay.Time.GetElapsedTime(Connection.LastReceived, now) > 2 * agreed.Expects)
        {
            EndUnread($"Nothing came from you for twice {agreed.Expects.TotalMilliseconds:0} ms, in which you wanted to send "
                + "at least a heart-beat: connect again.");
        }
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
                End(WebSocketCloseStatus.NormalClosure, "", answersFirst: true);
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

    private void Connect(in StompFrame frame, string? receipt)
    {
        if (_handshake is not null)
            throw new StompException("A second CONNECT: the session is connected already. Open another connection for another session.");
        var agreed = Handshake.Read(frame, Relay.Options.HeartBeat);
        if (Relay.Gate.HasUsers)
            Pending = LogInAsync(agreed, frame.GetString(StompNames.Login), frame.GetString(StompNames.Passcode), receipt);
        else
            Enter(agreed);
    }

    private async Task LogInAsync(Handshake agreed, string? login, string? passcode, string? receipt)
    {
        _isLoggingIn = true;
        var (user, refusal, outcome) = await Relay.Gate.AdmitAsync(login, passcode, bearer, Connection.Address);
        if (outcome is { } known)
            Relay.Meter.AddLogin(known);
        // It may have taken longer than the client is given until CONNECT.
        if (IsEnding)
            return;
        if (user is null)
        {
            Fail(refusal, receipt);
            return;
        }
        _user = user;
        Connection.Given?.User = Relay.Users.GetOrAdd(user.Login, static (_, given) => new GivenShare(given), Relay.Subscriptions.Given!);
        Enter(agreed);
    }

    private void Enter(in Handshake agreed)
    {
        _handshake = agreed;
        _reader.Version = agreed.Version;
        Connection.Outbox.EnqueueControl(StompAnswers.Connected(agreed.Version, Connection.Id, agreed.Sends, agreed.Expects));
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

    protected override bool EndWith(string why) => FailAtOnce(why, null);

    // From another thread: the session may sit in a receive, and the close frame wakes it by way of the client.
    private bool FailAtOnce(string what, string? receipt)
    {
        // Only who was first: another one may be here before that one's ERROR is in the outbox.
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
