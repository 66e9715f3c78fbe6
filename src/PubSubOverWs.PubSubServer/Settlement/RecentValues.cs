namespace PubSubOverWs.PubSubServer;

/// <summary>Remembers a value for each key, in memory and bounded: the oldest is forgotten. Thread-safe.</summary>
/// <param name="maxBytes">The most memory that the keys may take.</param>
/// <param name="sizeOf">The memory of a key. Null: it is not bounded.</param>
internal sealed class RecentValues<TKey, TValue>(int capacity, long maxBytes = 0, Func<TKey, int>? sizeOf = null)
    where TKey : notnull
    where TValue : struct
{
    private readonly Lock _lock = new();
    private readonly Dictionary<TKey, TValue> _values = [];
    private readonly Queue<TKey> _oldest = new();
    private long _bytes;
    private int _count;

    public void Remember(TKey key, TValue value)
    {
        lock (_lock)
        {
            if (_values.TryAdd(key, value))
            {
                _oldest.Enqueue(key);
                _bytes += SizeOf(key);
            }
            else
            {
                _values[key] = value;
            }
            while (_oldest.Count > capacity || _bytes > maxBytes)
            {
                var oldest = _oldest.Dequeue();
                _values.Remove(oldest);
                _bytes -= SizeOf(oldest);
            }
            Volatile.Write(ref _count, _values.Count);
        }
    }

    /// <summary>Its default, if nothing is known of the key.</summary>
    public TValue Recall(TKey key)
    {
        if (Volatile.Read(ref _count) == 0)
            return default;
        lock (_lock)
            return _values.GetValueOrDefault(key);
    }

    private int SizeOf(TKey key) => sizeOf?.Invoke(key) ?? 0;
}
