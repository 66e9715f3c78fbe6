namespace PubSubOverWs.Relay;

/// <summary>
/// Messages that wait for one topic subscription without room, first in first out, and how many it missed because the backlog was full.
/// Not thread-safe.
/// </summary>
/// <param name="memory">Of all backlogs of its connection, in <see cref="RelayOptions.TopicBacklogBytesTotal"/>.</param>
internal sealed class TopicBacklog(RelayOptions options, Reservation memory)
{
    private readonly Queue<(Delivery Delivery, long MissedBefore)> _waiting = [];
    private long _bytes;

    public int Count => _waiting.Count;

    /// <summary>Copies that were given up since the last one that was added.</summary>
    public long Missed { get; private set; }

    /// <summary>False: the backlog is full.</summary>
    public bool TryAdd(Delivery delivery)
    {
        var bytes = SizeOf(delivery);
        if (_waiting.Count >= options.TopicBacklog || _bytes + bytes > options.TopicBacklogBytes || !memory.TryTake(bytes))
            return false;
        _bytes += bytes;
        _waiting.Enqueue((delivery, Missed));
        Missed = 0;
        return true;
    }

    public void Miss() => Missed++;

    /// <summary>The oldest, and how many were given up before it, after the one before it.</summary>
    public bool TryPeek(out (Delivery Delivery, long MissedBefore) oldest) => _waiting.TryPeek(out oldest);

    /// <summary>Removes the oldest.</summary>
    public void Remove()
    {
        var bytes = SizeOf(_waiting.Dequeue().Delivery);
        _bytes -= bytes;
        memory.GiveBack(bytes);
    }

    private static long SizeOf(Delivery delivery) => MemoryBudget.SizeOf(delivery.Message);
}
