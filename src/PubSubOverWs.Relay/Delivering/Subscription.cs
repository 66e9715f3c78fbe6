using System.Net.WebSockets;
using System.Text.Unicode;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <summary>
/// One client's subscription to a destination: takes messages while there is room for them, writes their MESSAGE frames, and settles each
/// when its ack mode says so.
/// </summary>
/// <param name="prefetch">Most messages unacknowledged at a time; not used with <see cref="AckMode.Auto"/>.</param>
internal class Subscription(Connection connection, string destination, AckMode mode, int prefetch)
{
    private readonly Lock _gate = new();
    private readonly bool _isTopic = DestinationName.IsTopic(destination);
    private readonly Unsettled? _unacknowledged = mode == AckMode.Auto ? null : new Unsettled();
    private SharedReservation? _reservation;
    private TopicBacklog? _backlog;
    private bool _refused;
    private volatile bool _leftInOrder;
    private volatile bool _closed;
    private bool _hasCounted;

    // The writer's; others read the last.
    private byte[]? _head;
    private byte[]? _name;
    private byte[]? _ack;
    private long _lastWritten;

    /// <summary>How many versions of STOMP there are.</summary>
    public const int Versions = (int)StompVersion.V12 + 1;

    public string Destination { get; } = destination;

    public StompVersion Version { get; init; }

    /// <summary>The client's name for it; null: it gave none.</summary>
    public string? Id { get; init; }

    /// <summary>Counts the subscriptions of its connection from 1; part of the ids of its messages.</summary>
    public int Index { get; init; }

    /// <summary>Its memory, in bytes: its names, and about a KiB in lists of its session and its destination.</summary>
    public int Bytes => 1024 + MemoryBudget.SizeOf(Destination) + MemoryBudget.SizeOf(Id);

    /// <summary>Its client left or unsubscribed: messages that still wait in the outbox are not sent.</summary>
    public bool IsClosed => _closed;

    /// <summary>Its destination's, and used within its lock: where it stands among the subscribers.</summary>
    public LinkedListNode<Subscription>? Place { get; set; }

    /// <summary>
    /// The number of the last message that it took; 0 before the first. One more than the number before it, and one for each copy of a
    /// topic's message that was missed between them.
    /// </summary>
    public long LastNumber { get; private set; }

    /// <summary>Set before the first message: counts the destination's unsettled messages, if they are bounded.</summary>
    public void CountIn(SharedReservation? reservation) => _reservation = reservation;

    /// <summary>Takes a queue's message into the connection's outbox when there is room. Never waits.</summary>
    public bool TryTake(Delivery delivery)
    {
        lock (_gate)
        {
            if (TryGive(delivery, missedBefore: 0))
                return true;
            _refused = true;
            return false;
        }
    }

    /// <summary>
    /// Takes a copy of a topic's message: into the outbox when there is room, else into the backlog behind earlier ones. Never waits.
    /// </summary>
    /// <returns>False: no more may wait, and this subscriber misses it.</returns>
    public bool TryTakeCopy(Delivery delivery)
    {
        lock (_gate)
        {
            if (_backlog is null or { Count: 0 } && TryGive(delivery, _backlog?.Missed ?? 0))
            {
                _backlog = null;
                return true;
            }
            _backlog ??= connection.NewBacklog();
            if (connection.KeepsCopies && _backlog.TryAdd(delivery))
                return true;
            _backlog.Miss();
        }
        connection.OnMissed(Destination);
        return false;
    }

    /// <summary>Writes the frame of a message.</summary>
    /// <returns>The kind of WebSocket message to send it in.</returns>
    public virtual WebSocketMessageType Write(in OutboxEntry entry, PooledBuffer output)
    {
        var message = entry.Delivery!.Message;
        WriteHead(entry, output);
        if (entry.Delivery.Tails is { } tails)
            output.Append(tails[(int)Version] ??= EncodeTail(message));
        else
            WriteTail(message, output);
        return connection.Kind == WebSocketMessageType.Text && (message.IsText || Utf8.IsValid(message.Body.Span))
            ? WebSocketMessageType.Text
            : WebSocketMessageType.Binary;
    }

    /// <summary>The frame was handed to the socket.</summary>
    public void OnFlushed(Delivery delivery)
    {
        if (mode != AckMode.Auto || _isTopic)
            return;
        connection.Telemetry.End(delivery);
        delivery.OnSettled();
        OnEnded(delivery);
    }

    /// <summary>The frame will not be sent: the client left, or the connection broke.</summary>
    public void OnNotFlushed(in OutboxEntry entry)
    {
        // In the other modes it is in the list of the unacknowledged, which closing gives back.
        if (mode != AckMode.Auto || _isTopic)
            return;
        GiveBack(entry.Delivery!, GiveBackReason.Closed, WasAt(entry.Number));
    }

    /// <summary>ACK and NACK: takes the message (with <see cref="AckMode.Client"/> all earlier ones too) off the list.</summary>
    /// <returns>False: nothing was on the list, it was settled before.</returns>
    public bool Settle(long number, bool acknowledged)
    {
        GiveBackReason? givenBack = acknowledged ? null : GiveBackReason.Nack;
        if (mode == AckMode.Client)
            return SettleUpTo(number, givenBack);
        Delivery? delivery;
        lock (_gate)
            delivery = _unacknowledged?.Take(number);
        if (delivery is null)
            return false;
        TakeOff(delivery, givenBack, counts: true);
        return true;
    }

    /// <summary>There may be room: takes messages of the backlog.</summary>
    /// <returns>True once after a queue's message was refused for want of room: the broker may be waiting for that room.</returns>
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

    /// <summary>Tells the client why, and ends its connection. Does nothing when the connection is ending anyway.</summary>
    public void EndConnection(string why) => connection.End(why);

    /// <summary>
    /// The client said UNSUBSCRIBE or DISCONNECT, or the server stops: none of the messages that it gives back is to blame.
    /// </summary>
    public void LeaveInOrder() => _leftInOrder = true;

    /// <summary>
    /// Gives back the messages that the client had not settled. It is on no list any more, so no message is offered to it.
    /// </summary>
    /// <returns>How many they are, with those that waited for room.</returns>
    public int Close()
    {
        int waited;
        List<(long Number, Delivery Delivery)> unacknowledged;
        lock (_gate)
        {
            _closed = true;
            waited = _backlog?.Count ?? 0;
            for (var i = 0; i < waited; i++)
                _backlog!.Remove();
            unacknowledged = _unacknowledged?.TakeAll() ?? [];
        }
        if (waited > 0)
            connection.CountDrops(DropCause.Closed, waited);
        foreach (var (number, delivery) in unacknowledged)
            TakeOff(delivery, GiveBackReason.Closed, WasAt(number));
        return waited + unacknowledged.Count;
    }

    // A NACK is about the message that it names, the last of them: those before it only come back with it.
    private bool SettleUpTo(long number, GiveBackReason? givenBack)
    {
        List<Delivery> settled;
        lock (_gate)
            settled = _unacknowledged!.TakeUpTo(number);
        for (var i = 0; i < settled.Count; i++)
            TakeOff(settled[i], givenBack, counts: i == settled.Count - 1);
        return settled.Count > 0;
    }

    // A topic's message is settled when it is delivered: acknowledgements only make room here.
    private void TakeOff(Delivery delivery, GiveBackReason? givenBack, bool counts)
    {
        connection.Unacknowledged.Remove(MemoryBudget.SizeOf(delivery.Message));
        if (_isTopic)
            return;
        if (givenBack is { } reason)
        {
            GiveBack(delivery, reason, counts);
            return;
        }
        connection.Telemetry.End(delivery);
        delivery.OnSettled();
        OnEnded(delivery);
    }

    private void GiveBack(Delivery delivery, GiveBackReason reason, bool counts)
    {
        if (counts)
            delivery.Deliveries++;
        connection.Telemetry.End(delivery, reason);
        delivery.OnGivenBack(reason);
        OnEnded(delivery);
    }

    // The client was at this message when its connection ended: the oldest that was written, at least in part, and is unsettled. Asked from
    // the oldest on.
    private bool WasAt(long number) =>
        !_leftInOrder && number <= Volatile.Read(ref _lastWritten) && !Interlocked.Exchange(ref _hasCounted, true);

    // Outside the lock: a queue's message that was taken is settled or given back, and no longer counts.
    private void OnEnded(Delivery delivery)
    {
        if (_reservation is not null && connection.Unsettled!.Remove(_reservation, delivery.Memory))
            connection.OnRoomAgain();
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

    // What is the same in each message of the subscription is encoded once, and the numbers between need no escapes.
    private void WriteHead(in OutboxEntry entry, PooledBuffer output)
    {
        output.Append(_head ??= EncodeHead());
        output.Append(entry.Number);
        if (Id is not null)
            output.Append(_name ??= EncodeLine(StompNames.Subscription, Id));
        if (mode != AckMode.Auto)
        {
            output.Append(_ack ??= EncodeLine(StompNames.Ack, MessageId.FormatPrefix(connection.Id, Index)));
            output.Append(entry.Number);
        }
        if (entry.Delivery!.Redelivered)
            output.Append("\nredelivered:true"u8);
        // Numbers that are skipped were missed, and the next message says so.
        if (entry.Number - _lastWritten - 1 is > 0 and var missed)
        {
            output.Append("\nmissed:"u8);
            output.Append(missed);
        }
        output.Append("\n"u8);
        Volatile.Write(ref _lastWritten, entry.Number);
    }

    // The command and two headers, as far as the number that ends the second.
    private byte[] EncodeHead()
    {
        var buffer = new PooledBuffer();
        var writer = new StompWriter(buffer, Version);
        writer.Begin(StompCommand.Message);
        writer.Header(StompNames.Destination, Destination);
        writer.Header(StompNames.MessageId, MessageId.FormatPrefix(connection.Id, Index));
        return Take(buffer, ref writer);
    }

    // A header, with the end of the line before it and without its own.
    private byte[] EncodeLine(ReadOnlySpan<byte> name, string value)
    {
        var buffer = new PooledBuffer();
        buffer.Append("\n"u8);
        var writer = new StompWriter(buffer, Version);
        writer.Continue(StompCommand.Message);
        writer.Header(name, value);
        return Take(buffer, ref writer);
    }

    // Without the ends of the line, of the headers and of the frame.
    private static byte[] Take(PooledBuffer buffer, ref StompWriter writer)
    {
        writer.End();
        var taken = buffer.Span[..^"\n\n\0".Length].ToArray();
        buffer.Release();
        return taken;
    }

    private byte[] EncodeTail(Message message)
    {
        var buffer = new PooledBuffer();
        WriteTail(message, buffer);
        var tail = buffer.Span.ToArray();
        buffer.Release();
        return tail;
    }

    private void WriteTail(Message message, PooledBuffer output)
    {
        var writer = new StompWriter(output, Version);
        writer.Continue(StompCommand.Message);
        writer.Header(StompNames.Id, message.Id);
        for (var i = 0; i < message.Headers.Count; i++)
            writer.Header(message.Headers[i].Key, message.Headers[i].Value);
        writer.Header(StompNames.ContentLength, message.Body.Length);
        writer.End(message.Body.Span);
    }

    private bool TryGive(Delivery delivery, long missedBefore)
    {
        // Counted before it is queued: the client may have it, and acknowledge it, before this returns.
        LastNumber += missedBefore + 1;
        if (TryMakeRoom(delivery))
        {
            if (_reservation is null || connection.Unsettled!.TryAdd(_reservation, delivery.Memory))
            {
                if (!_isTopic)
                    connection.Telemetry.Begin(delivery);
                if (connection.Outbox.TryEnqueue(new OutboxEntry(this, delivery, LastNumber, null)))
                {
                    OnTaken(delivery);
                    return true;
                }
                delivery.Processing = null;
                if (_reservation is not null)
                    connection.Unsettled!.Withdraw(_reservation, delivery.Memory);
            }
            if (_unacknowledged is not null)
                connection.Unacknowledged.Remove(MemoryBudget.SizeOf(delivery.Message));
        }
        LastNumber -= missedBefore + 1;
        // Room that another connection leaves, of what all share, tells nobody.
        connection.LookAt();
        return false;
    }

    // Whether the ack mode allows one more, which then counts.
    private bool TryMakeRoom(Delivery delivery) =>
        _unacknowledged is null
        || (_unacknowledged.Count < prefetch && connection.Unacknowledged.TryAdd(MemoryBudget.SizeOf(delivery.Message)));

    private void OnTaken(Delivery delivery)
    {
        if (_unacknowledged is not null)
            _unacknowledged.Add(LastNumber, delivery);
        else if (!_isTopic)
            delivery.OnTakenToFlush();
    }
}

/// <summary>When a message counts as settled: the <c>ack</c> header of SUBSCRIBE.</summary>
internal enum AckMode
{
    /// <summary>Once its frame was flushed to the socket.</summary>
    Auto,

    /// <summary>When the client acknowledges it or a later one of the subscription.</summary>
    Client,

    /// <summary>When the client acknowledges it.</summary>
    ClientIndividual,
}
