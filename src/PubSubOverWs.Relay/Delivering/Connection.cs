using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Relay;

/// <summary>One client's WebSocket with its outbox and its reservations of memory: common to STOMP and the raw relay.</summary>
/// <remarks>
/// Of an outbox, a reservation, a window, a socket and its reader and writer each connection has one, and nobody else locks them: they lock
/// themselves (<c>lock (this)</c>), as a <see cref="Lock"/> would be 40 bytes more of each.
/// </remarks>
internal sealed class Connection : IWireOwner, IDisposable
{
    /// <summary>How often a time-out looks at what the client's system has taken: it is noticed late by no more than this part.</summary>
    public const int LooksInTimeOut = 8;

    private readonly RelayContext _relay;
    private long _meteredBytesOut;
    private long _waitsSince;
    private FrameBatch? _writing;
    private bool _isLeaving;
    private Reservation? _backlogMemory;

    public Connection(RelayContext relay, WebSocket socket, IWire stream, string id, IPAddress address)
    {
        _relay = relay;
        Socket = socket;
        Stream = stream;
        Id = id;
        Address = address;
        Outbox = new Outbox(this, relay);
        Unacknowledged = new MemoryReservation(relay.UnacknowledgedBudget);
        Sent = new MemoryReservation(relay.SentBudget);
        Unsettled = relay.Subscriptions.UnsettledBudget is { } budget ? new UnsettledReservation(budget) : null;
        LastSent = LastReceived = relay.Now;
        SentAt = relay.Time.GetTimestamp();
        stream.Owner = this;
    }

    /// <summary>Unique over all nodes: the node's name and a number.</summary>
    public string Id { get; }

    /// <summary>Of the client, as far as this server can see.</summary>
    public IPAddress Address { get; }
    public WebSocket Socket { get; }
    public IWire Stream { get; }
    public Outbox Outbox { get; }

    /// <summary>Memory of messages that the client was given and has not acknowledged.</summary>
    public MemoryReservation Unacknowledged { get; }

    /// <summary>
    /// Memory of data that the client sent and the server keeps: transactions, publishes under way, names of subscriptions, frames of which
    /// a part is missing.
    /// </summary>
    public MemoryReservation Sent { get; }

    /// <summary>Null: the broker does not bound unsettled messages.</summary>
    public UnsettledReservation? Unsettled { get; }

    public RelayTelemetry Telemetry => _relay.Telemetry;

    /// <summary>A copy of a topic's message that finds no room waits for it.</summary>
    public bool KeepsCopies => _relay.Broker.Keeps;

    /// <summary>The kind of WebSocket message that the client used last, and in which it is answered.</summary>
    public WebSocketMessageType Kind { get; set; } = WebSocketMessageType.Text;

    /// <summary>When something was sent last, by the clock that goes on in a pause, as the client's does.</summary>
    public long SentAt { get; private set; }

    /// <summary>Time stamps of <see cref="RelayContext.Now"/>.</summary>
    public long LastSent { get; private set; }
    public long LastReceived { get; set; }

    /// <summary>Since when the socket has not taken what is being written; null: nothing is, or it has.</summary>
    public long? WaitsSince => Volatile.Read(ref _waitsSince) is not 0 and var since ? since : null;

    /// <summary>The connection's session, which the session clock looks at when something is due, and at no other time.</summary>
    public ConnectionUser? Session { get; set; }

    /// <summary>
    /// The session clock is to look at the session after that time stamp, or at its next turn; from any thread, within locks too.
    /// </summary>
    public void LookAt(long due = TimerWheel.Soon)
    {
        if (Session is { } session)
            _relay.Wheel.Schedule(session, due);
    }

    /// <summary>Called when the outbox has room again after it refused a message.</summary>
    public void OnRoomAgain() => Session?.TellOfRoom();

    /// <summary>Tells of room that another connection left, of what all share.</summary>
    /// <returns>Something was refused, and still is.</returns>
    public bool TellOfRoom()
    {
        Outbox.TellOfRoom();
        var hasRoom = Unacknowledged.ConsumeRefusal();
        if (Unsettled?.ConsumeRefusal() == true || hasRoom)
            OnRoomAgain();
        return Outbox.HasRefused || Unacknowledged.HasRefused;
    }

    /// <summary>Called within locks when the outbox refused a message, which may end the connection.</summary>
    public void OnFull()
    {
        if (EndsSlow)
            Session?.EndSlow();
    }

    /// <summary>Likewise, with the destination, when a subscription misses a topic's message.</summary>
    public void OnMissed(string destination)
    {
        if (EndsSlow)
            Session?.EndBehind(destination);
    }

    public void CountDrops(DropCause cause, int count) => _relay.Meter.AddDrop(cause, count);

    public TopicBacklog NewBacklog() => new(
        _relay.Options,
        _backlogMemory ?? Interlocked.CompareExchange(ref _backlogMemory, new Reservation(_relay.TopicBacklogs), null) ?? _backlogMemory);

    /// <summary>Tells the client why, and ends the connection; from any thread, within locks too.</summary>
    public void End(string why) => Session?.EndWith(why);

    /// <inheritdoc/>
    public ValueTask OnControlTrafficAsync(int bytes) => Session?.OnControlTrafficAsync(bytes) ?? ValueTask.CompletedTask;

    /// <summary>Cuts the connection without a close frame. The receive and the send under way fail, and clean up.</summary>
    public void Abort()
    {
        Stream.IsCut = true;
        Socket.Abort();
    }

    /// <summary>
    /// A send or a receive failed: cuts the connection, so that the other fails, too. Not if the close frame has been sent: nothing follows
    /// it, and a cut would cost the client what is on its way.
    /// </summary>
    public void OnFailed()
    {
        if (!Stream.IsCloseSent)
            Abort();
    }

    /// <summary>True: a send or a receive throws this when the other side went away, or the socket was aborted here.</summary>
    // The framework wraps whatever its stream throws. Nothing is cancelled here: what is cancelled, the web server did.
    public bool IsGone(Exception exception) => exception switch
    {
        WebSocketException { InnerException: { } inner } => IsGone(inner),
        WebSocketException or IOException or SocketException or ConnectionAbortedException or OperationCanceledException => true,
        ObjectDisposedException => Socket.State == WebSocketState.Aborted,
        _ => false,
    };

    /// <summary>The socket does not take what is being written: the client, or the network, is slower than the server.</summary>
    public void OnWriteWaits()
    {
        var now = _relay.Now;
        Volatile.Write(ref _waitsSince, now);
        if (_relay.Options.SlowConsumerTimeout is { Ticks: > 0 } max)
            LookAt(_relay.After(now, max / LooksInTimeOut));
    }

    /// <summary>The batch is about to be written.</summary>
    public void OnWriting(FrameBatch batch)
    {
        _writing = batch;
        _isLeaving = false;
    }

    /// <summary>Counts messages before the client can have them, so that nobody who reads the counters misses one that has come.</summary>
    public void OnLeaving()
    {
        _isLeaving = true;
        // The total first, so that no reading of the counters sees parts that are larger than it.
        CountBytes();
        CountMessages(1);
    }

    /// <summary>All was written.</summary>
    public void OnWritten()
    {
        if (_writing!.Payloads.Count > 0)
        {
            LastSent = _relay.Now;
            SentAt = _relay.Time.GetTimestamp();
        }
        EndWrite();
    }

    /// <summary>Nothing more will be written. What did not leave as a whole counts no more, though a part of it may have come.</summary>
    public void OnWriteFailed()
    {
        if (_isLeaving)
            CountMessages(-1);
        EndWrite();
    }

    public void Dispose()
    {
        Socket.Dispose();
        CountBytes();
    }

    private bool EndsSlow => _relay.Options.SlowConsumer == SlowConsumer.Disconnect;

    private void EndWrite()
    {
        _writing = null;
        _isLeaving = false;
        Volatile.Write(ref _waitsSince, 0);
    }

    private void CountMessages(int sign)
    {
        var batch = _writing!;
        _relay.Meter.AddOut(
            sign * batch.Messages, sign * batch.BodyBytes, sign * (batch.Payloads.Count - batch.BodyBytes));
    }

    private void CountBytes()
    {
        var bytesOut = Stream.BytesOut;
        _relay.Meter.AddTotalOut(bytesOut - Interlocked.Exchange(ref _meteredBytesOut, bytesOut));
    }
}

/// <summary>
/// What a connection tells its session, from any thread and within locks, so that the session must only take note. The exception is
/// <see cref="OnControlTrafficAsync"/>, which the reader awaits.
/// </summary>
internal abstract class ConnectionUser : TimerWheel.Member
{
    /// <summary>Something that was refused may find room now.</summary>
    public abstract void TellOfRoom();

    /// <summary>Tells the client why, as far as it can be told, and ends; without waiting.</summary>
    /// <returns>False: it was ending anyway.</returns>
    public abstract bool EndWith(string why);

    /// <summary>Ends, because the outbox of a client that must keep up is full.</summary>
    public abstract void EndSlow();

    /// <summary>Likewise, because it missed a message.</summary>
    public abstract void EndBehind(string destination);

    /// <inheritdoc cref="IWireOwner.OnControlTrafficAsync"/>
    public abstract ValueTask OnControlTrafficAsync(int bytes);
}
