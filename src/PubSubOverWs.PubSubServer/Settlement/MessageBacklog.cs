using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// The messages that wait for a subscriber or for room, by destination, first in first out, bounded in number and in bytes, and those that
/// wait out a NACK, which count with them. No destination has more than is left for the others (docs/decisions/0118).
/// Only one thread offers them: it goes through a destination when <see cref="TryAdd"/> or <see cref="MarkReady"/> asks for it, with
/// <see cref="TryBegin"/> and, for a message that no subscriber took, <see cref="Return"/>. All other members are thread-safe.
/// </summary>
/// <param name="maxMessages">Of all destinations.</param>
/// <param name="budget">Of all destinations of all queues that the server reads, in bytes.</param>
internal sealed class MessageBacklog(int maxMessages, Budget budget) : IDisposable
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Shelf> _shelves = new(StringComparer.Ordinal);
    private int _count;
    private bool _isOver;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Whether a message to the destination has to queue up behind others.</summary>
    public bool HasAny(string destination)
    {
        if (Count == 0)
            return false;
        lock (_lock)
            return _shelves.TryGetValue(destination, out var shelf) && shelf.IsLine;
    }

    /// <summary>False: it is full, or has no more room for this destination.</summary>
    /// <param name="mustOffer">Go through the destination now: a subscriber may have come while the message was on its way here.</param>
    public bool TryAdd(InboundMessage message, out bool mustOffer)
    {
        mustOffer = false;
        lock (_lock)
        {
            if (!TryCount(message, out var shelf))
                return false;
            message.Place = shelf.Messages.AddLast(message);
            mustOffer = shelf.MakeReady();
            return true;
        }
    }

    /// <summary>Counts a message that waits out a NACK elsewhere, until <see cref="EndDelay"/>. False: as <see cref="TryAdd"/>.</summary>
    public bool TryDelay(InboundMessage message)
    {
        lock (_lock)
            return TryCount(message, out _);
    }

    public void EndDelay(InboundMessage message)
    {
        lock (_lock)
        {
            Decrement(message);
            RemoveIfUnused(message.Message.Destination);
        }
    }

    /// <summary>
    /// A subscriber may have room. True: go through the destination now; false: nothing is held for it, or another thread does already.
    /// </summary>
    public bool MarkReady(string destination)
    {
        if (Count == 0)
            return false;
        lock (_lock)
            return _shelves.TryGetValue(destination, out var shelf) && shelf.IsLine && shelf.MakeReady();
    }

    /// <summary>Any destination may have room. Returns those to go through now.</summary>
    public IReadOnlyList<string> MarkAllReady()
    {
        lock (_lock)
            return [.. _shelves.Where(shelf => shelf.Value.IsLine && shelf.Value.MakeReady()).Select(shelf => shelf.Key)];
    }

    /// <summary>
    /// Takes the first message of the destination in hand; it still counts. False: there is none, and going through is over.
    /// </summary>
    public bool TryBegin(string destination, out InboundMessage message)
    {
        message = null!;
        lock (_lock)
        {
            if (!_shelves.TryGetValue(destination, out var shelf))
                return false;
            shelf.IsReady = false;
            if (shelf.Messages.First is not { } first)
            {
                shelf.IsOffering = false;
                RemoveIfUnused(destination);
                return false;
            }
            shelf.Messages.RemoveFirst();
            message = first.Value;
            message.Place = null;
            return true;
        }
    }

    /// <summary>
    /// No subscriber took the message that was in hand: it is first again. True: room was reported meanwhile, go on; false: stop.
    /// </summary>
    public bool Return(InboundMessage message)
    {
        lock (_lock)
        {
            var shelf = _shelves[message.Message.Destination];
            message.Place = shelf.Messages.AddFirst(message);
            shelf.IsOffering = shelf.IsReady;
            return shelf.IsOffering;
        }
    }

    /// <summary>The message in hand is no longer held.</summary>
    public void Forget(InboundMessage message)
    {
        lock (_lock)
            Decrement(message);
    }

    /// <summary>Takes the message out, if it is there and not in hand.</summary>
    public void Remove(InboundMessage message)
    {
        lock (_lock)
            TakeOut(message);
    }

    /// <summary>As <see cref="Remove"/>, if it no longer waits: it was sent elsewhere while it was on its way here.</summary>
    public void RemoveUnlessWaiting(InboundMessage message)
    {
        lock (_lock)
        {
            if (message.State != InboundState.Waiting)
                TakeOut(message);
        }
    }

    /// <summary>Holds nothing from now on, and frees its budget.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            if (!_isOver)
                budget.GiveBack(_shelves.Values.Sum(shelf => shelf.Bytes));
            _isOver = true;
        }
    }

    private void TakeOut(InboundMessage message)
    {
        if (message.Place is not { } place)
            return;
        message.Place = null;
        _shelves[message.Message.Destination].Messages.Remove(place);
        Decrement(message);
        RemoveIfUnused(message.Message.Destination);
    }

    // Within the lock. One message is always let in while nothing waits, however large it is.
    private bool TryCount(InboundMessage message, out Shelf shelf)
    {
        var bytes = message.Memory;
        shelf = _shelves.GetValueOrDefault(message.Message.Destination) ?? new Shelf();
        if (_isOver || shelf.Count >= maxMessages - _count)
            return false;
        if (_count == 0)
            budget.Take(bytes);
        else if (!budget.TryTake(shelf.Bytes, bytes))
            return false;
        _count++;
        shelf.Count++;
        shelf.Bytes += bytes;
        _shelves[message.Message.Destination] = shelf;
        return true;
    }

    private void Decrement(InboundMessage message)
    {
        var bytes = message.Memory;
        var shelf = _shelves[message.Message.Destination];
        _count--;
        if (!_isOver)
            budget.GiveBack(bytes);
        shelf.Count--;
        shelf.Bytes -= bytes;
    }

    private void RemoveIfUnused(string destination)
    {
        if (_shelves[destination] is { Count: 0, IsOffering: false })
            _shelves.Remove(destination);
    }

    private sealed class Shelf
    {
        public LinkedList<InboundMessage> Messages { get; } = new();

        /// <summary>Those in <see cref="Messages"/>, the one in hand, and those that wait out a NACK.</summary>
        public int Count { get; set; }

        public long Bytes { get; set; }

        /// <summary>It has messages to go through, or a thread goes through them.</summary>
        public bool IsLine => Messages.Count > 0 || IsOffering;

        /// <summary>Room was reported since the last message was taken in hand.</summary>
        public bool IsReady { get; set; }

        /// <summary>A thread goes through it, or was told to.</summary>
        public bool IsOffering { get; set; }

        /// <summary>True: no thread goes through it yet.</summary>
        public bool MakeReady()
        {
            IsReady = true;
            if (IsOffering)
                return false;
            IsOffering = true;
            return true;
        }
    }
}
