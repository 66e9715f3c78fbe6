using System.Buffers;
using System.Net.WebSockets;
using System.Text;

namespace PubSubOverWs.Relay;

/// <content>How a session ends.</content>
internal abstract partial class Session
{
    private const int DrainBuffer = 4 * 1024;

    private int _isCut;

    /// <summary>Cuts a client that does not leave, does not read, or does nothing; and tells of room that others left.</summary>
    protected internal override long Look(long now)
    {
        var next = TimerWheel.Never;
        if (Volatile.Read(ref _goodbyeSince) is not 0 and var since && !HasAnswered)
        {
            next = Relay.After(since, Relay.Options.CloseTimeout);
            if (next < now)
                Cut();
        }
        // The socket is not being read: the client is not silent.
        var isUnread = _isHeldBack || Publishes.IsFull || Connection.Outbox.OwesMuch;
        if (isUnread)
            Connection.LastReceived = now;
        var waitsForRoom = Connection.TellOfRoom();
        if (!IsEnding && _patience.IsGone(isUnread, now, ref next))
            Abort();
        if (_patience.IsOverWithReader(now, ref next))
            EndUnread("This connection made no write progress for "
                + $"{Relay.Options.SlowConsumerTimeout.TotalSeconds:0.###} s while messages waited (Relay:SlowConsumerTimeout): read what "
                + "comes, or subscribe to less.");
        else if (!IsEnding && _patience.IsOverWithIdle(now, ref next))
            EndWith($"Nothing was sent or received here for {Relay.Options.IdleTimeout.TotalSeconds:0.###} s (Relay:IdleTimeout): "
                + "connect again when there is something, or send heart-beats.");
        return isUnread || waitsForRoom ? TimerWheel.Soon : next;
    }

    // Called within the locks of the outbox's caller.
    public override void EndSlow()
    {
        if (!IsEnding
            && EndWith("You read too slowly: the outbox of this connection is full "
                + $"(Relay:OutboxFrames {Relay.Options.OutboxFrames}, Relay:OutboxBytes {Relay.Options.OutboxBytes}, and "
                + "Relay:OutboxBytesTotal for all). Read faster, or subscribe to less."))
            Relay.Meter.AddSlow();
    }

    // Called within locks, too.
    public override void EndBehind(string destination)
    {
        if (!IsEnding
            && EndWith($"You missed a message of {destination}: the backlog of your subscription is full (prefetch-count, "
                + $"Relay:TopicBacklog {Relay.Options.TopicBacklog}, Relay:TopicBacklogBytes {Relay.Options.TopicBacklogBytes}, and "
                + "Relay:TopicBacklogBytesTotal for all). Acknowledge or read faster."))
            Relay.Meter.AddSlow();
    }

    private async ValueTask LeaveAsync()
    {
        Relay.AddressRates.Leave(Connection.Address);
        _batch.Flush();
        try
        {
            if (_next is null)
            {
                _input.Release();
                await EndAsync();
                ForgetAll();
            }
        }
        finally
        {
            Relay.Wheel.Remove(this);
        }
    }

    private async Task EndAsync()
    {
        End(WebSocketCloseStatus.NormalClosure, "");
        var subscriptions = Unregister();
        // A transaction under way may acknowledge messages of theirs.
        if (_ending!.IsInOrder)
            await Publishes.IdleAsync();
        // When the server ends it, the frames in the outbox are sent first.
        if (GoodbyeSaid() is { } said)
            await said;
        await CloseInTurnsAsync(subscriptions);
        AnswerLast();
        SayGoodbye();
        await _goodbye!;
        try
        {
            // After an offence no close frame of the client is to be found in what comes.
            if (Connection.Socket.State == WebSocketState.CloseSent && !_hasFailed)
                await DrainAsync();
        }
        catch (Exception exception) when (Connection.IsGone(exception))
        {
            Connection.OnFailed();
        }
    }

    // Waits for the client's close frame, no longer than the session clock allows, so the receive needs no token. A client that continues
    // to send is cut.
    private async Task DrainAsync()
    {
        // Not returned after an exception: the receive may still write to it.
        var buffer = ArrayPool<byte>.Shared.Rent(DrainBuffer);
        var drained = 0L;
        var turn = 0;
        Connection.Stream.TakeRead();
        while (drained < LingeringClose.MaxDropped)
        {
            var received = await Connection.Socket.ReceiveAsync(buffer.AsMemory(), CancellationToken.None);
            if (received.MessageType == WebSocketMessageType.Close)
            {
                ArrayPool<byte>.Shared.Return(buffer);
                return;
            }
            // With its framing: an empty fragment takes as long as another.
            var read = Connection.Stream.TakeRead();
            drained += read;
            turn += read;
            if (turn < LingeringClose.DroppedInATurn)
                continue;
            turn = 0;
            await Task.Yield();
        }
        ArrayPool<byte>.Shared.Return(buffer);
        Cut();
    }

    private void Cut()
    {
        if (Interlocked.Exchange(ref _isCut, 1) != 0)
            return;
        Relay.Meter.AddCut();
        Abort();
    }

    private async Task SayGoodbyeAsync()
    {
        await Connection.Outbox.CompleteAsync();
        try
        {
            // No token: the session clock cuts a connection whose close frame does not leave.
            if (Connection.Socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
                await Connection.Socket.CloseOutputAsync(_ending!.Status, _ending.Reason, CancellationToken.None);
        }
        catch (Exception exception) when (Connection.IsGone(exception))
        {
            Connection.Abort();
        }
    }

    // The close frame left, and the client answered it: what it was subscribed to is still being closed.
    private bool HasAnswered => Connection.Socket.State == WebSocketState.Closed && GoodbyeSaid() is { IsCompleted: true };

    private Task? GoodbyeSaid()
    {
        lock (_subscriptions)
            return _goodbye;
    }
}

/// <summary>Why a session ends.</summary>
/// <param name="reason">Cut to the length that a close frame has room for.</param>
/// <param name="isInOrder">
/// The client said DISCONNECT, or the server stops: the close frame waits until every publish under way has its outcome, and that is told.
/// </param>
internal sealed class Ending(WebSocketCloseStatus status, string reason, bool isInOrder)
{
    // RFC 6455, 5.5 and 5.5.1.
    private const int MaxReasonBytes = 123;

    public WebSocketCloseStatus Status { get; } = status;

    public string Reason { get; } = Cut(reason);

    public bool IsInOrder { get; } = isInOrder;

    private static string Cut(string reason)
    {
        while (Encoding.UTF8.GetByteCount(reason) > MaxReasonBytes)
            reason = reason[..^(char.IsLowSurrogate(reason[^1]) ? 2 : 1)];
        return reason;
    }
}
