using System.Runtime.InteropServices;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// The messages that wait for a subscriber or for room, by destination, first in first out, bounded in number and in bytes.
/// Only one thread offers them: it goes through a destination when <see cref="TryAdd"/> or <see cref="MarkReady"/> said so, with
/// <see cref="TryBegin"/> and, for what nobody took, <see cref="Return"/>. Everything else is safe from any thread.
/// </summary>
/// <param name="maxMessages">Of all destinations.</param>
/// <param name="maxBytes">Likewise.</param>
/// <param name="isShared">A destination has at most as many places as are left, so that there are some for others.</param>
internal sealed class HeldMessages(int maxMessages, long maxBytes, bool isShared = false)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Shelf> _shelves = new(StringComparer.Ordinal);
    private int _count;
    private long _bytes;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Whether a message to the destination has to queue up behind others.</summary>
    public bool HasAny(string destination)
    {
        if (Count == 0)
            return false;
        lock (_lock)
            return _shelves.ContainsKey(destination);
    }

    /// <summary>False: it is full.</summary>
    /// <param name="message">Goes to the end of its destination.</param>
    /// <param name="mustOffer">Go through the destination now: a subscriber may have come while the message was on its way here.</param>
    public bool TryAdd(InboundMessage message, out bool mustOffer)
    {
        mustOffer = false;
        var bytes = message.Message.Size;
        lock (_lock)
        {
            if (_count >= maxMessages || (_count > 0 && _bytes + bytes > maxBytes))
                return false;
            if (isShared && _shelves.TryGetValue(message.Message.Destination, out var own) && own.Messages.Count >= maxMessages - _count)
                return false;
            _count++;
            _bytes += bytes;
            ref var shelf = ref CollectionsMarshal.GetValueRefOrAddDefault(_shelves, message.Message.Destination, out _);
            shelf ??= new Shelf();
            message.Place = shelf.Messages.AddLast(message);
            mustOffer = shelf.MakeReady();
            return true;
        }
    }

    /// <summary>Somebody may have room at the destination. True: go through it now; false: nothing is held for it, or that was said already.</summary>
    public bool MarkReady(string destination)
    {
        if (Count == 0)
            return false;
        lock (_lock)
            return _shelves.TryGetValue(destination, out var shelf) && shelf.MakeReady();
    }

    /// <summary>Somebody may have room everywhere. The destinations to go through now.</summary>
    public IReadOnlyList<string> MarkAllReady()
    {
        lock (_lock)
            return [.. _shelves.Where(shelf => shelf.Value.MakeReady()).Select(shelf => shelf.Key)];
    }

    /// <summary>Takes the first message of the destination in hand; it still counts. False: there is none, and going through is over.</summary>
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
                _shelves.Remove(destination);
                return false;
            }
            shelf.Messages.RemoveFirst();
            message = first.Value;
            message.Place = null;
            return true;
        }
    }

    /// <summary>Nobody took the message that was in hand: it is first again. True: room was reported meanwhile, go on; false: going through is over.</summary>
    public bool Return(InboundMessage message)
    {
        lock (_lock)
        {
            var shelf = _shelves[message.Message.Destination];
            message.Place = shelf.Messages.AddFirst(message);
            return shelf.IsOffering = shelf.IsReady;
        }
    }

    /// <summary>The message in hand is held no more.</summary>
    public void Forget(InboundMessage message)
    {
        lock (_lock)
            Uncount(message);
    }

    /// <summary>Takes the message out, if it is there and not in hand.</summary>
    public void Remove(InboundMessage message)
    {
        lock (_lock)
        {
            if (message.Place is not { } place)
                return;
            message.Place = null;
            Uncount(message);
            var shelf = _shelves[message.Message.Destination];
            shelf.Messages.Remove(place);
            if (shelf.Messages.Count == 0 && !shelf.IsOffering)
                _shelves.Remove(message.Message.Destination);
        }
    }

    private void Uncount(InboundMessage message)
    {
        _count--;
        _bytes -= message.Message.Size;
    }

    private sealed class Shelf
    {
        public LinkedList<InboundMessage> Messages { get; } = new();

        /// <summary>Room was reported since the last message was taken in hand.</summary>
        public bool IsReady { get; set; }

        /// <summary>Somebody goes through it, or was told to.</summary>
        public bool IsOffering { get; set; }

        /// <summary>True: nobody goes through it yet.</summary>
        public bool MakeReady()
        {
            IsReady = true;
            if (IsOffering)
                return false;
            return IsOffering = true;
        }
    }
}
