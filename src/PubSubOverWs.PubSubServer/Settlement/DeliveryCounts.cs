using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Remembers how often a message was delivered to subscribers while it is back in the queue, as the queue itself counts only how often it
/// was received. In memory and bounded: the oldest is forgotten, and counts from zero. Thread-safe.
/// </summary>
/// <param name="capacity">Messages.</param>
/// <param name="maxBytes">The most memory that their ids and destinations may take.</param>
internal sealed class DeliveryCounts(int capacity, long maxBytes)
{
    private const int BytesOfEntry = 100;

    private readonly Lock _lock = new();
    private readonly Dictionary<(string Id, string Destination), int> _counts = [];
    private readonly Queue<(string Id, string Destination)> _oldest = new();
    private long _bytes;
    private int _count;

    public void Remember(Message message, int deliveries)
    {
        var key = (message.Id, message.Destination);
        lock (_lock)
        {
            if (_counts.TryAdd(key, deliveries))
            {
                _oldest.Enqueue(key);
                _bytes += BytesOf(key);
            }
            else
            {
                _counts[key] = deliveries;
            }
            while (_oldest.Count > capacity || _bytes > maxBytes)
            {
                var oldest = _oldest.Dequeue();
                _counts.Remove(oldest);
                _bytes -= BytesOf(oldest);
            }
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

    private static int BytesOf((string Id, string Destination) key) =>
        BytesOfEntry + (sizeof(char) * (key.Id.Length + key.Destination.Length));
}
