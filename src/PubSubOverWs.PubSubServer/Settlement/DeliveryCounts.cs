using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Remembers how often a message was delivered to subscribers while it is away in the queue, for the count of the queue itself says only how
/// often it was received. In memory, and for so many messages only: the oldest is forgotten, and counts from zero. Safe from any thread.
/// </summary>
internal sealed class DeliveryCounts(int capacity)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<(string Id, string Destination), int> _counts = [];
    private readonly Queue<(string Id, string Destination)> _oldest = new();
    private int _count;

    public void Remember(Message message, int deliveries)
    {
        var key = (message.Id, message.Destination);
        lock (_lock)
        {
            if (_counts.TryAdd(key, deliveries))
                _oldest.Enqueue(key);
            else
                _counts[key] = deliveries;
            while (_oldest.Count > capacity)
                _counts.Remove(_oldest.Dequeue());
            Volatile.Write(ref _count, _counts.Count);
        }
    }

    /// <summary>0: none are known of.</summary>
    public int Recall(Message message)
    {
        if (Volatile.Read(ref _count) == 0)
            return 0;
        lock (_lock)
            return _counts.GetValueOrDefault((message.Id, message.Destination));
    }
}
