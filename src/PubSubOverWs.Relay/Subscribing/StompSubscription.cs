using System.Net.WebSockets;
using System.Text.Unicode;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <summary>A STOMP client's subscription: its MESSAGE frames, and what it was given and has not acknowledged.</summary>
/// <param name="index">Counts the subscriptions of its connection from 1; part of the message and acknowledgement ids.</param>
/// <param name="prefetch">Most messages unacknowledged at a time; without meaning for <see cref="AckMode.Auto"/>.</param>
internal sealed class StompSubscription(
    Connection connection, StompVersion version, string destination, string? id, int index, AckMode mode, int prefetch)
    : Subscription(connection, destination)
{
    private readonly bool _isTopic = DestinationName.IsTopic(destination);
    private readonly Unsettled? _unacknowledged = mode == AckMode.Auto ? null : new Unsettled();

    // The writer's.
    private long _lastWritten;

    public int Index => index;

    /// <summary>What it takes in memory, in bytes: its names, and about a KiB in lists of its session and its destination.</summary>
    public int Bytes { get; } = 1024 + MemoryBudget.Of(destination) + MemoryBudget.Of(id);

    public override WebSocketMessageType Write(in OutboxEntry entry, PooledBuffer output)
    {
        var message = entry.Delivery!.Message;
        var writer = new StompWriter(output, version);
        writer.Begin(StompCommand.Message);
        writer.Header(StompNames.Destination, message.Destination);
        Span<byte> number = stackalloc byte[AckId.MaxLength];
        var ackId = AckId.Write(index, entry.Number, number);
        Span<byte> messageId = stackalloc byte[MessageId.MaxLength];
        writer.Header(StompNames.MessageId, MessageId.Write(Connection.Id, ackId, messageId));
        if (id is not null)
            writer.Header(StompNames.Subscription, id);
        if (mode != AckMode.Auto)
            writer.Header(StompNames.Ack, ackId);
        if (entry.Delivery.Redelivered || entry.Delivery.Deliveries > 1)
            writer.Header(StompNames.Redelivered, "true"u8);
        // What is missing between the numbers was missed, and is told with what comes next.
        if (entry.Number - _lastWritten - 1 is > 0 and var missed)
            writer.Header(StompNames.Missed, missed);
        _lastWritten = entry.Number;
        writer.Header(StompNames.Id, message.Id);
        for (var i = 0; i < message.Headers.Count; i++)
            writer.Header(message.Headers[i].Key, message.Headers[i].Value);
        writer.Header(StompNames.ContentLength, message.Body.Length);
        writer.End(message.Body.Span);
        return Connection.Kind == WebSocketMessageType.Text && (message.IsText || Utf8.IsValid(message.Body.Span))
            ? WebSocketMessageType.Text
            : WebSocketMessageType.Binary;
    }

    public override void OnFlushed(Delivery delivery)
    {
        if (mode != AckMode.Auto || _isTopic)
            return;
        delivery.OnSettled();
        OnEnded(delivery);
    }

    public override void OnNotFlushed(Delivery delivery)
    {
        // In the other modes it stands in the list of the unacknowledged, and closing gives that back.
        if (mode != AckMode.Auto || _isTopic)
            return;
        delivery.OnGivenBack(GiveBackReason.Closed);
        OnEnded(delivery);
    }

    /// <summary>ACK and NACK: takes the message (with <see cref="AckMode.Client"/> all earlier ones too) off the list.</summary>
    /// <returns>False: there was nothing to take off, it was settled before.</returns>
    public bool Settle(long number, bool acknowledged)
    {
        GiveBackReason? givenBack = acknowledged ? null : GiveBackReason.Nack;
        if (mode == AckMode.Client)
            return SettleUpTo(number, givenBack);
        Delivery? delivery;
        lock (Gate)
            delivery = _unacknowledged?.Take(number);
        if (delivery is null)
            return false;
        TakeOff(delivery, givenBack);
        return true;
    }

    private bool SettleUpTo(long number, GiveBackReason? givenBack)
    {
        List<Delivery> settled;
        lock (Gate)
            settled = _unacknowledged!.TakeUpTo(number);
        foreach (var delivery in settled)
            TakeOff(delivery, givenBack);
        return settled.Count > 0;
    }

    protected override bool TryMakeRoom(Delivery delivery) =>
        _unacknowledged is null
        || (_unacknowledged.Count < prefetch && Connection.Unacknowledged.TryAdd(MemoryBudget.Of(delivery.Message)));

    protected override void GiveUpRoom(Delivery delivery)
    {
        if (mode != AckMode.Auto)
            Connection.Unacknowledged.Remove(MemoryBudget.Of(delivery.Message));
    }

    protected override void OnTaken(Delivery delivery)
    {
        if (_unacknowledged is not null)
            _unacknowledged.Add(LastNumber, delivery);
        else if (!_isTopic)
            delivery.OnTakenToFlush();
    }

    protected override void OnClosed()
    {
        if (_unacknowledged is null)
            return;
        List<Delivery> left;
        lock (Gate)
            left = _unacknowledged.TakeAll();
        foreach (var delivery in left)
            TakeOff(delivery, GiveBackReason.Closed);
    }

    // A topic's message is settled when it is delivered: acknowledgements only make room here.
    private void TakeOff(Delivery delivery, GiveBackReason? givenBack)
    {
        Connection.Unacknowledged.Remove(MemoryBudget.Of(delivery.Message));
        if (_isTopic)
            return;
        if (givenBack is { } reason)
            delivery.OnGivenBack(reason);
        else
            delivery.OnSettled();
        OnEnded(delivery);
    }
}
