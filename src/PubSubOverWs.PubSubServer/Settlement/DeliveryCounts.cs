namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Remembers how often a message was delivered to subscribers while it is away in the queue, for the count of the queue itself says only how
/// often it was received. In memory, and for so many messages only: the oldest is forgotten, and counts from zero. Safe from any thread.
/// </summary>
internal sealed class DeliveryCounts(int capacity)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, int> _byId = new(StringComparer.Ordinal);
    private readonly Queue<string> _oldest = new();
    private int _count;

    public void Remember(string id, int deliveries)
    {
        lock (_lock)
        {
            if (_byId.TryAdd(id, deliveries))
                _oldest.Enqueue(id);
            else
                _byId[id] = deliveries;
            while (_oldest.Count > capacity)
                _byId.Remove(_oldest.Dequeue());
            Volatile.Write(ref _count, _byId.Count);
        }
    }

    /// <summary>0: none are known of.</summary>
    public int Recall(string id)
    {
        if (Volatile.Read(ref _count) == 0)
            return 0;
        lock (_lock)
            return _byId.GetValueOrDefault(id);
    }
}
