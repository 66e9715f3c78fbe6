using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>One client's place at a destination. Settles by itself what its ack mode settles by flushing.</summary>
internal abstract class Subscription(Connection connection, string destination)
{
    private readonly Lock _gate = new();
    private GivenShare? _share;
    private TopicBacklog? _backlog;
    private bool _refused;
    private volatile bool _closed;

    public string Destination { get; } = destination;

    /// <summary>Its client left or unsubscribed: what still waits in the outbox is not sent.</summary>
    public bool IsClosed => _closed;

    protected Connection Connection { get; } = connection;
    protected Lock Gate => _gate;

    /// <summary>
    /// The number of the last message that it took; 0 before the first. One more than the number before it, and one for each copy of a
    /// topic's message that was missed between them.
    /// </summary>
    public long LastNumber { get; private set; }

    /// <summary>Before the first message: where its destination counts what it gave, if that is bounded.</summary>
    public void CountAt(GivenShare? share) => _share = share;

    /// <summary>Takes a queue's message into the connection's outbox when there is room. Never waits.</summary>
    public bool TryTake(Delivery delivery)
    {
        lock (_gate)
        {
            if (_closed)
                return false;
            if (TryGive(delivery, missedBefore: 0))
                return true;
            _refused = true;
            return false;
        }
    }

    /// <summary>
    /// Takes a copy of a topic's message: into the outbox when there is room, else behind what waits for room already. Never waits.
    /// </summary>
    /// <returns>False: no more may wait, and this subscriber misses it.</returns>
    public bool TryTakeCopy(Delivery delivery)
    {
        lock (_gate)
        {
            if (_closed || (_backlog is null or { Count: 0 } && TryGive(delivery, _backlog?.Missed ?? 0)))
            {
                _backlog = null;
                return true;
            }
            _backlog ??= Connection.NewBacklog();
            if (Connection.KeepsCopies && _backlog.TryAdd(delivery))
                return true;
            _backlog.Miss();
        }
        Connection.OnMissed(Destination);
        return false;
    }

    /// <summary>Writes the frame of a message. Returns the kind of WebSocket message to send it in.</summary>
    public abstract WebSocketMessageType Write(in OutboxEntry entry, PooledBuffer output);

    /// <summary>The frame was handed to the socket.</summary>
    public abstract void OnFlushed(Delivery delivery);

    /// <summary>The frame will not be sent: the client left, or the connection broke.</summary>
    public abstract void OnNotFlushed(Delivery delivery);

    /// <summary>
    /// There may be room: takes what waits for it here. True once after a queue's message was refused for want of room: somebody may be
    /// waiting for that room.
    /// </summary>
    public bool TakeRoom()
    {
        lock (_gate)
        {
            TakeWaiting();
            var refused = _refused;
            _refused = false;
            return refused;
        }
    }

    /// <summary>Tells the client why, and ends its connection. Does nothing when that is ending anyway.</summary>
    public void EndConnection(string why) => Connection.End?.Invoke(why);

    /// <summary>Takes no more, and gives back what the client had not settled.</summary>
    public void Close()
    {
        int waited;
        lock (_gate)
        {
            _closed = true;
            waited = _backlog?.Count ?? 0;
            for (var i = 0; i < waited; i++)
                _backlog!.Remove();
        }
        if (waited > 0)
            Connection.CountDrops(DropCause.Closed, waited);
        OnClosed();
    }

    /// <summary>Within the lock: whether the ack mode allows one more, which then counts.</summary>
    protected virtual bool TryMakeRoom(Delivery delivery) => true;

    /// <summary>Within the lock: the outbox did not take it.</summary>
    protected virtual void GiveUpRoom(Delivery delivery)
    {
    }

    /// <summary>Within the lock: the message is in the outbox, as <see cref="LastNumber"/>.</summary>
    protected virtual void OnTaken(Delivery delivery)
    {
    }

    /// <summary>After closing, outside the lock.</summary>
    protected virtual void OnClosed()
    {
    }

    /// <summary>Outside the lock: a queue's message that was taken is settled or given back, and counts no more.</summary>
    protected void OnEnded(Delivery delivery)
    {
        if (_share is not null && Connection.Given!.Remove(_share, delivery.Memory))
            Connection.OnRoomAgain();
    }

    private void TakeWaiting()
    {
        while (!_closed && _backlog is { } backlog && backlog.TryPeek(out var oldest) && TryGive(oldest.Delivery, oldest.MissedBefore))
        {
            backlog.Remove();
            if (backlog is { Count: 0, Missed: 0 })
                _backlog = null;
        }
    }

    private bool TryGive(Delivery delivery, long missedBefore)
    {
        // Counted before it is queued: the client may have it, and acknowledge it, before this returns.
        LastNumber += missedBefore + 1;
        if (TryMakeRoom(delivery))
        {
            if (_share is null || Connection.Given!.TryAdd(_share, delivery.Memory))
            {
                if (Connection.Outbox.TryEnqueue(new OutboxEntry(this, delivery, LastNumber, null)))
                {
                    OnTaken(delivery);
                    return true;
                }
                if (_share is not null)
                    Connection.Given!.Withdraw(_share, delivery.Memory);
            }
            GiveUpRoom(delivery);
        }
        LastNumber -= missedBefore + 1;
        return false;
    }
}
