using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>
/// Receives on one connection and acts on what came, until the client leaves, breaks a rule, or the server stops. While nothing comes it
/// holds no buffer.
/// </summary>
internal abstract class Session(RelayContext relay, Connection connection)
{
    private const int SmallestRead = 1024;

    private readonly OutboxBatch _batch = new();
    private readonly List<Subscription> _subscriptions = [];
    private Ending? _ending;
    private Task _goodbye = Task.CompletedTask;

    protected RelayContext Relay { get; } = relay;
    protected Connection Connection { get; } = connection;
    protected PooledBuffer Input { get; } = new();
    protected PublishWindow Publishes { get; } = new(relay.Options.PublishesUnderWay);

    private bool IsEnding => Volatile.Read(ref _ending) is not null;

    /// <summary>Runs until the connection is closed, and leaves nothing behind.</summary>
    public async Task RunAsync()
    {
        Connection.RoomAgain = TellOfRoom;
        try
        {
            await ReceiveAsync();
        }
        catch (Exception exception) when (Connection.IsGone(exception))
        {
            Connection.Abort();
        }
        finally
        {
            _batch.Flush();
            Input.Release();
            await EndAsync();
        }
    }

    /// <summary>
    /// Asks the client to leave, from another thread: answers that are owed go out, then the close frame; the session ends when the
    /// client's comes back.
    /// </summary>
    public async Task StopAsync(WebSocketCloseStatus status, string reason)
    {
        End(status, reason);
        await Publishes.IdleAsync();
        await SayGoodbyeAsync();
    }

    /// <summary>Cuts the connection without a goodbye.</summary>
    public void Abort() => Connection.Abort();

    /// <summary>Now and then, on the session clock's thread: cuts a client that does not leave.</summary>
    public virtual void Tick()
    {
        if (Volatile.Read(ref _ending) is { } ending && Relay.Time.GetElapsedTime(ending.Since) > Relay.Options.CloseTimeout)
            Abort();
    }

    /// <summary>Acts on nothing more; the first reason counts, and is what the close frame says.</summary>
    protected void End(WebSocketCloseStatus status, string reason) =>
        Interlocked.CompareExchange(ref _ending, new Ending(status, CloseReason.Fit(reason), Relay.Time.GetTimestamp()), null);

    /// <summary>Flushes what is owed and sends the close frame, from any thread; the client's answer wakes the session, and ends it.</summary>
    protected void SayGoodbye() => _goodbye = SayGoodbyeAsync();

    private async Task SayGoodbyeAsync()
    {
        await Connection.Outbox.CompleteAsync();
        try
        {
            if (Connection.Socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
                await Connection.Socket.CloseOutputAsync(_ending!.Status, _ending.Reason, CancellationToken.None);
        }
        catch (Exception exception) when (Connection.IsGone(exception))
        {
            Abort();
        }
    }

    /// <summary>Acts on the next thing in <see cref="Input"/>. Called until false; must not wait.</summary>
    protected abstract bool TryAct(bool endOfMessage);

    /// <summary>Before the connection closes: answers that are still owed.</summary>
    protected virtual Task FinishAsync() => Task.CompletedTask;

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
        // A topic's message may have waited for this subscriber alone.
        Relay.Broker.RoomAt(subscription.Destination);
    }

    /// <summary>Publishes, and answers when the outcome is known; the session goes on meanwhile, within its window.</summary>
    protected void Publish(IReadOnlyList<Message> messages, Action<PublishOutcome> answer, Action<BrokerRefusedException> refuse)
    {
        Relay.Meter.AddMessagesIn(messages.Count);
        var publish = Relay.Broker.PublishAsync(messages, CancellationToken.None);
        if (publish.IsCompletedSuccessfully)
            answer(publish.Result);
        else
            Publishes.Start(publish, answer, refuse, OnBrokerFailed);
    }

    private void OnBrokerFailed(Exception exception)
    {
        Relay.Log.BrokerFailed(Connection.Id, exception);
        Connection.Abort();
    }

    private async Task ReceiveAsync()
    {
        while (!IsEnding)
        {
            var endOfMessage = false;
            if (!Connection.Stream.HasBuffered)
            {
                _batch.Flush();
                if (Input.Count == 0)
                    Input.Release();
                // Reads nothing: waits until something is there, without a buffer.
                var waited = await Connection.Socket.ReceiveAsync(Memory<byte>.Empty, CancellationToken.None);
                if (waited.MessageType == WebSocketMessageType.Close)
                    return;
                (endOfMessage, Connection.Kind) = (waited.EndOfMessage, waited.MessageType);
            }
            if (!endOfMessage)
            {
                var receive = Connection.Socket.ReceiveAsync(Input.GetMemory(SmallestRead), CancellationToken.None);
                // The rest of a frame is still under way: nobody else waits for it.
                if (!receive.IsCompleted)
                    _batch.Flush();
                var received = await receive;
                if (received.MessageType == WebSocketMessageType.Close)
                    return;
                Input.Advance(received.Count);
                Relay.Meter.AddIn(received.Count);
                (endOfMessage, Connection.Kind) = (received.EndOfMessage, received.MessageType);
            }
            Connection.LastReceived = Relay.Time.GetTimestamp();
            await ActAsync(endOfMessage);
        }
    }

    private async ValueTask ActAsync(bool endOfMessage)
    {
        while (!IsEnding)
        {
            if (Publishes.IsFull)
            {
                _batch.Flush();
                await Publishes.RoomAsync();
            }
            _batch.Enter();
            try
            {
                if (!TryAct(endOfMessage))
                    return;
            }
            finally
            {
                OutboxBatch.Leave();
            }
        }
    }

    private async Task EndAsync()
    {
        foreach (var subscription in _subscriptions.ToArray())
            Remove(subscription);
        await FinishAsync();
        await _goodbye;
        End(WebSocketCloseStatus.NormalClosure, "");
        await CloseAsync(_ending!);
    }

    private async Task CloseAsync(Ending ending)
    {
        using var timeout = new CancellationTokenSource(Relay.Options.CloseTimeout, Relay.Time);
        using var cut = timeout.Token.Register(Connection.Abort);
        await Connection.Outbox.CompleteAsync();
        try
        {
            if (Connection.Socket.State is WebSocketState.Open or WebSocketState.CloseReceived or WebSocketState.CloseSent)
                await Connection.Socket.CloseAsync(ending.Status, ending.Reason, timeout.Token);
        }
        catch (Exception exception) when (Connection.IsGone(exception))
        {
            Connection.Abort();
        }
    }

    private void TellOfRoom()
    {
        Subscription[] subscriptions;
        lock (_subscriptions)
            subscriptions = [.. _subscriptions];
        foreach (var subscription in subscriptions)
        {
            if (subscription.TakeRefused())
                Relay.Broker.RoomAt(subscription.Destination);
        }
    }
}
