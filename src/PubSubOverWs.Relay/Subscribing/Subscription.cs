using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>One client's place at a destination. Settles by itself what its ack mode settles by flushing.</summary>
internal abstract class Subscription(Connection connection, string destination)
{
    private readonly Lock _gate = new();
    private bool _refused;
    private volatile bool _closed;

    public string Destination { get; } = destination;

    /// <summary>Its client left or unsubscribed: what still waits in the outbox is not sent.</summary>
    public bool IsClosed => _closed;

    protected Connection Connection { get; } = connection;
    protected Lock Gate => _gate;

    /// <summary>The number of the last message that it took; 0 before the first.</summary>
    public long LastNumber { get; private set; }

    /// <summary>Takes a message into the connection's outbox when there is room. Never waits.</summary>
    public bool TryTake(Delivery delivery)
    {
        lock (_gate)
        {
            if (_closed)
                return false;
            // Counted before it is queued: the client may have it, and acknowledge it, before this returns.
            LastNumber++;
            if (TryMakeRoom(delivery))
            {
                if (Connection.Outbox.TryEnqueue(new OutboxEntry(this, delivery, LastNumber, null)))
                {
                    OnTaken(delivery);
                    return true;
                }
                GiveUpRoom(delivery);
            }
            LastNumber--;
            _refused = true;
            return false;
        }
    }

    /// <summary>Writes the frame of a message. Returns the kind of WebSocket message to send it in.</summary>
    public abstract WebSocketMessageType Write(in OutboxEntry entry, PooledBuffer output);

    /// <summary>The frame was handed to the socket.</summary>
    public abstract void OnFlushed(Delivery delivery);

    /// <summary>The frame will not be sent: the client left, or the connection broke.</summary>
    public abstract void OnNotFlushed(Delivery delivery);

    /// <summary>True once after a message was refused for want of room: somebody may be waiting for that room.</summary>
    public bool TakeRefused()
    {
        lock (_gate)
        {
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
        lock (_gate)
            _closed = true;
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
}
