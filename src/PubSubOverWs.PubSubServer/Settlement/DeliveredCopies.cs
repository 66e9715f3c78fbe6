namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Remembers which messages of topics are settled here, as the queue may hand one out again: because its delete came too late, because the
/// transaction it came in is not settled, or because a standard queue may do so. In memory and bounded: the oldest is forgotten.
/// Thread-safe.
/// </summary>
internal sealed class DeliveredCopies(int capacity)
{
    private readonly Lock _lock = new();
    private readonly HashSet<(string SqsId, int Index)> _delivered = [];
    private readonly Queue<(string SqsId, int Index)> _oldest = new();

    public void Add(InboundMessage message)
    {
        lock (_lock)
        {
            if (_delivered.Add(KeyOf(message)))
                _oldest.Enqueue(KeyOf(message));
            while (_oldest.Count > capacity)
                _delivered.Remove(_oldest.Dequeue());
        }
    }

    public bool Has(InboundMessage message)
    {
        lock (_lock)
            return _delivered.Contains(KeyOf(message));
    }

    // Not by the application's id, which a publisher may use again as it likes.
    private static (string, int) KeyOf(InboundMessage message) => (message.Lease.MessageId, message.Index);
}
