using System.ComponentModel.DataAnnotations;
using System.Runtime.InteropServices;
using PubSubOverWs.Relay;

namespace PubSubOverWs.DirectServer;

/// <summary>
/// A queue in memory behind the direct server: messages without room, and messages to a queue without a subscriber, wait here, first in
/// first out for each destination, as in the pubsub server. Lost on exit by design: isolates buffering from durability.
/// </summary>
internal sealed class DirectBuffer(Subscriptions subscriptions, RelayMeter meter, int maxMessages, long maxBytes)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Line> _lines = new(StringComparer.Ordinal);
    private int _count;
    private long _bytes;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Delivers, or keeps the message for later. <see cref="DeliverOutcome.NoRoom"/>: the buffer is full as well.</summary>
    public DeliverOutcome Deliver(DirectDelivery delivery)
    {
        var destination = delivery.Message.Destination;
        if (!HasAny(destination) && subscriptions.Deliver(delivery) is var outcome && !IsToWait(outcome, destination))
            return outcome;
        if (!TryAdd(delivery, out var mustOffer))
            return DeliverOutcome.NoRoom;
        if (mustOffer)
            OfferAll(destination);
        return DeliverOutcome.Taken;
    }

    /// <summary>A subscriber came, or there is room again. Cheap while nothing waits.</summary>
    public void RoomAt(string destination)
    {
        if (Count > 0 && MarkReady(destination))
            OfferAll(destination);
    }

    private bool HasAny(string destination)
    {
        if (Count == 0)
            return false;
        lock (_lock)
            return _lines.ContainsKey(destination);
    }

    // mustOffer: room may have come while the message was on its way here.
    private bool TryAdd(DirectDelivery delivery, out bool mustOffer)
    {
        mustOffer = false;
        var bytes = delivery.Message.Size;
        lock (_lock)
        {
            if (_count >= maxMessages || (_count > 0 && _bytes + bytes > maxBytes))
                return false;
            _count++;
            _bytes += bytes;
            delivery.HasWaited = true;
            ref var line = ref CollectionsMarshal.GetValueRefOrAddDefault(_lines, delivery.Message.Destination, out _);
            line ??= new Line();
            line.Waiting.Enqueue(delivery);
            mustOffer = line.MakeReady();
            return true;
        }
    }

    private bool MarkReady(string destination)
    {
        lock (_lock)
            return _lines.TryGetValue(destination, out var line) && line.MakeReady();
    }

    // One thread at a time for each destination, until no subscriber has room.
    private void OfferAll(string destination)
    {
        while (First(destination) is { } delivery)
        {
            var outcome = subscriptions.Deliver(delivery);
            if (IsToWait(outcome, destination))
            {
                if (Stay(destination))
                    continue;
                return;
            }
            if (outcome == DeliverOutcome.NoSubscriber)
                meter.AddDrop(DropCause.NoSubscriber);
            else if (outcome == DeliverOutcome.Missed)
                meter.AddDrop(DropCause.Shed, delivery.WithoutRoom);
            Remove(destination);
        }
    }

    private static bool IsToWait(DeliverOutcome outcome, string destination) => outcome == DeliverOutcome.NoRoom
        || (outcome == DeliverOutcome.NoSubscriber && DestinationName.IsQueue(destination));

    // It stays where it is while it is offered. Null: none is left, and offering ends.
    private DirectDelivery? First(string destination)
    {
        lock (_lock)
        {
            var line = _lines[destination];
            line.IsReady = false;
            if (line.Waiting.TryPeek(out var first))
                return first;
            _lines.Remove(destination);
            return null;
        }
    }

    private void Remove(string destination)
    {
        lock (_lock)
        {
            _count--;
            _bytes -= _lines[destination].Waiting.Dequeue().Message.Size;
        }
    }

    // No subscriber took it. True: room was reported meanwhile, go on; false: offering ends.
    private bool Stay(string destination)
    {
        lock (_lock)
            return _lines[destination].StayReady();
    }

    private sealed class Line
    {
        private bool _isOffering;

        public Queue<DirectDelivery> Waiting { get; } = [];

        /// <summary>Room was reported since the first was offered last.</summary>
        public bool IsReady { get; set; }

        /// <summary>True: no thread offers its messages yet.</summary>
        public bool MakeReady()
        {
            IsReady = true;
            if (_isOffering)
                return false;
            _isOffering = true;
            return true;
        }

        public bool StayReady()
        {
            _isOffering = IsReady;
            return _isOffering;
        }
    }
}

/// <summary>
/// The buffer of the direct server, section <c>Direct</c>: none by default. For the third arm of experiments with faults.
/// </summary>
internal sealed class DirectOptions
{
    /// <summary>
    /// Messages that may wait in memory for room, or for a subscriber of their queue, 0 (off: such messages are dropped) to 1,000,000. They
    /// are lost when the process ends.
    /// </summary>
    [Range(0, 1_000_000)]
    public int Buffer { get; set; }

    /// <summary>Bytes that these messages may take, 1 KiB to 4 GiB; while none waits, one message of any size may.</summary>
    [Range(1L << 10, 1L << 32)]
    public long BufferBytes { get; set; } = 256 << 20;
}
