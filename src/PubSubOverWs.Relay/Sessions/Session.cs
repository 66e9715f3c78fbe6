using System.Buffers;
using System.Net.WebSockets;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// Receives on one connection and acts on what came, until the client leaves, breaks a rule, or the server stops. While nothing comes it
/// holds no buffer.
/// </summary>
internal abstract partial class Session(RelayContext relay, Connection connection) : ConnectionUser
{
    private const int SmallestRead = 1024;

    private readonly OutboxBatch _batch = new(relay.Options);
    private readonly Patience _patience = new(relay, connection);
    private InputBuffer _input = new(connection.Sent);
    private InputRate? _rate;
    private volatile bool _isHeldBack;
    private Ending? _ending;
    private Session? _next;
    private bool? _inherited;
    private bool _hasFailed;
    private Task? _goodbye;
    private long _goodbyeSince;
    private int _isActing;

    protected RelayContext Relay { get; } = relay;
    public Connection Connection { get; } = connection;

    /// <summary>Time stamp of when the session was made.</summary>
    protected long Opened { get; } = relay.Now;

    protected PooledBuffer Input => _input.Buffer;
    protected PublishWindow Publishes { get; } = new(relay.Options.PublishesUnderWay, connection.Sent);

    /// <summary>All that stands in <see cref="Input"/> came in text messages, so it is valid UTF-8.</summary>
    protected bool IsTextInput { get; private set; } = true;

    /// <summary>Awaited before the session acts on anything more; null: nothing.</summary>
    protected Task? Pending { get; set; }

    protected bool IsEnding => Volatile.Read(ref _ending) is not null;

    /// <summary>Runs until the connection is closed, and leaves nothing behind, or until another session goes on with it.</summary>
    /// <returns>That other session, to be run next; null: the connection is closed.</returns>
    // Long: a method of its own for the loop would keep one more task for each connection.
    public async Task<Session?> RunAsync()
    {
        _rate = InputRate.Create(Relay.Options, Relay.Time, Relay.AddressRates.Enter(Connection.Address));
        Connection.Session = this;
        Connection.LookAt();
        try
        {
            if (_inherited is { } isEnd)
                await ActAsync(isEnd);
            for (var isThere = Connection.Stream.HasBuffered; !IsEnding;)
            {
                if (isThere && !_input.TryHold(SmallestRead))
                {
                    await HoldInputAsync();
                    continue;
                }
                ValueWebSocketReceiveResult received;
                try
                {
                    received = await (isThere ? ReceiveAsync() : WaitAsync());
                }
                catch (Exception exception) when (Connection.IsGone(exception))
                {
                    _hasFailed = true;
                    Connection.OnFailed();
                    break;
                }
                if (received.MessageType == WebSocketMessageType.Close)
                    break;
                var endOfMessage = OnReceived(received);
                isThere = !isThere && !endOfMessage;
                if (isThere)
                    continue;
                Connection.LastReceived = Relay.Now;
                await ActAsync(endOfMessage);
                isThere = Connection.Stream.HasBuffered;
            }
        }
        catch (Exception exception)
        {
            Relay.Log.SessionFailed(Connection.Id, exception);
            End(WebSocketCloseStatus.InternalServerError, "The server failed: its log says how.");
        }
        finally
        {
            await LeaveAsync();
        }
        return _next;
    }

    /// <summary>
    /// Asks the client to leave, from another thread: answers that are owed go out, then the close frame; the session ends when the
    /// client's comes back. Does nothing when the session is ending anyway.
    /// </summary>
    public async Task StopAsync(WebSocketCloseStatus status, string reason)
    {
        if (!End(status, reason, isInOrder: true))
            return;
        // A step under way may not have seen that the session ends, and its publishes are owed an answer.
        while (Volatile.Read(ref _isActing) != 0)
            await Task.Yield();
        await Publishes.IdleAsync();
        SayGoodbye();
    }

    /// <summary>Cuts the connection without a close frame.</summary>
    public void Abort() => Connection.Abort();

    /// <summary>Acts on nothing more; the first reason counts, and stands in the close frame.</summary>
    /// <returns>True: it was the first.</returns>
    protected bool End(WebSocketCloseStatus status, string reason, bool isInOrder = false) =>
        Interlocked.CompareExchange(ref _ending, new Ending(status, reason, isInOrder), null) is null;

    /// <summary>
    /// Hands the connection and the content of <see cref="Input"/> over to another session. To be called while acting, by a session that
    /// has neither answered nor subscribed; does nothing when this one is ending: <see cref="End"/> decides which comes first.
    /// </summary>
    protected void HandOver(Func<Session> create, bool endOfMessage)
    {
        if (!End(WebSocketCloseStatus.NormalClosure, ""))
            return;
        _next = create();
        _next._input = _input;
        _next.IsTextInput = IsTextInput;
        _next._inherited = endOfMessage;
    }

    /// <summary>
    /// Flushes the frames that are owed and sends the close frame, once, from any thread; the client's answer wakes the session, and ends
    /// it.
    /// </summary>
    protected void SayGoodbye()
    {
        lock (_subscriptions)
        {
            if (_goodbye is not null)
                return;
            Volatile.Write(ref _goodbyeSince, Relay.Now);
            _goodbye = Task.Run(SayGoodbyeAsync);
        }
        Relay.Wheel.Schedule(this, Relay.After(_goodbyeSince, Relay.Options.CloseTimeout));
    }

    public override bool EndWith(string why)
    {
        if (!End(WebSocketCloseStatus.PolicyViolation, why))
            return false;
        Relay.Log.Refused(Connection.Id, why);
        SayGoodbye();
        return true;
    }

    /// <summary>
    /// Ends a session whose client takes nothing, or is silent: messages that are not being written go back, and those that are leave
    /// before the close frame, so that a client that reads within <see cref="RelayOptions.CloseTimeout"/> gets all that was settled. Only
    /// then is it cut.
    /// </summary>
    protected void EndUnread(string why)
    {
        if (IsEnding)
            return;
        Connection.Outbox.GiveBack();
        EndWith(why);
    }

    /// <summary>Acts on the next thing in <see cref="Input"/>. Called until false; must not wait.</summary>
    protected abstract bool TryAct(bool endOfMessage);

    /// <summary>Gives back the memory that the session keeps until it ends.</summary>
    protected virtual void ForgetAll()
    {
    }

    /// <summary>The last answer that is owed when the session ends in order.</summary>
    protected virtual void AnswerLast()
    {
    }

    /// <summary>Counts a message that came, before it is published, kept or discarded.</summary>
    protected void CountAgainstRate() => _rate?.TakeMessages(1);

    /// <summary>Publishes, and answers when the outcome is known; the session goes on meanwhile, within its window.</summary>
    /// <param name="messages">They belong together.</param>
    /// <param name="bytes">That they and their receipts take until the outcome is known.</param>
    /// <param name="receipt">Of the frame that published; null: it asked for none.</param>
    /// <param name="committed">The transaction that they are; null: they are none.</param>
    protected void Publish(IReadOnlyList<Message> messages, long bytes, string? receipt = null, Transaction? committed = null)
    {
        Relay.Meter.AddMessagesIn(messages.Count);
        var publish = Relay.Broker.PublishAsync(messages);
        if (publish.IsCompletedSuccessfully)
            OnPublished(publish.Result, receipt, committed);
        else
            Start(publish, bytes, receipt, committed);
    }

    /// <summary>The broker took a publish, or counted it as lost. Nothing in a session that publishes nothing.</summary>
    protected virtual void OnPublished(PublishOutcome outcome, string? receipt, Transaction? committed)
    {
    }

    /// <summary>The broker refused a publish. On the thread of the session or of the broker.</summary>
    protected virtual void OnRefused(BrokerRefusedException refusal, string? receipt)
    {
    }

    // Apart, so that a publish whose outcome is known at once allocates nothing for it.
    private void Start(ValueTask<PublishOutcome> publish, long bytes, string? receipt, Transaction? committed)
    {
        Publishes.Start(
            publish, bytes, outcome => OnPublished(outcome, receipt, committed), refusal => OnRefused(refusal, receipt), OnBrokerFailed);
        if (Publishes.IsFull)
            Connection.LookAt();
    }

    private void OnBrokerFailed(Exception exception)
    {
        Relay.Log.BrokerFailed(Connection.Id, exception);
        Connection.Abort();
    }

    // The receives take no token: cancelling one aborts the socket. EndWith and Cut end them. This one reads nothing: it waits until
    // something is there, without a buffer.
    private ValueTask<ValueWebSocketReceiveResult> WaitAsync()
    {
        _batch.Flush();
        if (Input.Count == 0)
            _input.Release();
        return Connection.Socket.ReceiveAsync(Memory<byte>.Empty, CancellationToken.None);
    }

    private ValueTask<ValueWebSocketReceiveResult> ReceiveAsync()
    {
        var receive = Connection.Socket.ReceiveAsync(Input.GetMemory(SmallestRead), CancellationToken.None);
        // The rest of a frame is still on its way: others do not wait for it.
        if (!receive.IsCompleted)
            _batch.Flush();
        return receive;
    }

    private bool OnReceived(ValueWebSocketReceiveResult received)
    {
        Connection.Kind = received.MessageType;
        IsTextInput = received.MessageType == WebSocketMessageType.Text && (IsTextInput || Input.Count == 0);
        Input.Advance(received.Count);
        // The framework does not look at the end of a text whose last fragment is empty.
        if (received.Count == 0 && received.EndOfMessage && IsTextInput && Input.Count > 0
            && Rune.DecodeLastFromUtf8(Input.Span, out _, out _) != OperationStatus.Done)
            End(WebSocketCloseStatus.InvalidPayloadData, "The text ends within a character: send UTF-8.");
        Relay.Meter.AddIn(received.Count);
        _batch.OnReceived(received.Count);
        // Taken even if no rate bounds it: bytes that are not taken count as control traffic.
        var read = Connection.Stream.TakeRead();
        _rate?.TakeBytes(read);
        return received.EndOfMessage;
    }

    // Control frames such as PING: they queue up behind sessions whose input waits for a thread.
    public override async ValueTask OnControlTrafficAsync(int bytes)
    {
        _rate?.TakeBytes(bytes);
        while (!IsEnding && _rate?.Wait() is { Ticks: > 0 } wait && await HoldBackAsync(wait))
        {
            // Until the rate allows more.
        }
        await Task.Yield();
    }

    // Long: every reason to wait before the session acts is here, in its order, and each makes the loop look at all of them again.
    private async ValueTask ActAsync(bool endOfMessage)
    {
        while (!IsEnding)
        {
            if (Pending is { } pending)
            {
                _batch.Flush();
                await pending;
                Pending = null;
                continue;
            }
            if (Publishes.IsFull)
            {
                Connection.LookAt();
                _batch.Flush();
                await Publishes.RoomAsync();
                continue;
            }
            if (Connection.Outbox.OwesMuch)
            {
                Connection.LookAt();
                _batch.Flush();
                await Connection.Outbox.AnswersTakenAsync();
                continue;
            }
            if (_rate?.Wait() is { Ticks: > 0 } wait)
            {
                _batch.Flush();
                // The peer is gone: the next receive fails.
                if (!await HoldBackAsync(wait))
                    return;
                continue;
            }
            if (_batch.IsFull)
            {
                // Behind sessions whose input waits for a thread: a client that sends without a pause would keep this one.
                _batch.Flush();
                await Task.Yield();
                continue;
            }
            _batch.Enter();
            try
            {
                // Noted first, then checked: the thread that ends the session checks in the other order, so one of the two sees the other.
                Interlocked.Exchange(ref _isActing, 1);
                if (IsEnding || !TryAct(endOfMessage))
                    return;
            }
            finally
            {
                Volatile.Write(ref _isActing, 0);
                OutboxBatch.Leave();
            }
        }
    }

    private async Task HoldInputAsync()
    {
        _batch.Flush();
        while (!IsEnding && !_input.TryHold(SmallestRead) && await HoldBackAsync(SessionClock.Period))
        {
            // Until others hold less.
        }
    }

    // Nothing is read meanwhile, so the client's own buffers fill: it is slowed down and loses nothing. In steps, as the session may end.
    private async Task<bool> HoldBackAsync(TimeSpan wait)
    {
        _isHeldBack = true;
        Connection.LookAt();
        // A timer has whole milliseconds: less than one would be no wait, and busy looping.
        var whole = TimeSpan.FromMilliseconds(Math.Ceiling(wait.TotalMilliseconds));
        // No token: a session that ends looks again within a period.
        await Task.Delay(whole < SessionClock.Period ? whole : SessionClock.Period, Relay.Time, CancellationToken.None);
        _isHeldBack = false;
        return Connection.Socket.State is WebSocketState.Open;
    }
}
