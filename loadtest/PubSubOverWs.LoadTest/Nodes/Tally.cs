using System.Collections.Concurrent;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>Which of a series of numbered messages came, and how often. Safe from any thread.</summary>
public sealed class Tally(int messages)
{
    private readonly int[] _counts = new int[messages];
    private readonly ConcurrentDictionary<string, int> _unexpected = new(StringComparer.Ordinal);
    private int _distinct;
    private long _arrivals;

    /// <summary>Different messages that came at least once.</summary>
    public int Distinct => Volatile.Read(ref _distinct);

    /// <summary>All that came, copies too.</summary>
    public long Arrivals => Volatile.Read(ref _arrivals);

    /// <summary>Arrivals of a message that had come before.</summary>
    public long Duplicates => Arrivals - Distinct - Unexpected;

    /// <summary>Arrivals that are none of the messages.</summary>
    public int Unexpected => _unexpected.Values.Sum();

    /// <param name="id">As it stood in the MESSAGE frame.</param>
    public void Count(ReadOnlySpan<byte> id)
    {
        Interlocked.Increment(ref _arrivals);
        if (!System.Buffers.Text.Utf8Parser.TryParse(id, out int number, out var length) || length != id.Length || number < 0 || number >= _counts.Length)
            _unexpected.AddOrUpdate(System.Text.Encoding.UTF8.GetString(id), 1, (_, count) => count + 1);
        else if (Interlocked.Increment(ref _counts[number]) == 1)
            Interlocked.Increment(ref _distinct);
    }

    /// <summary>How often the message came.</summary>
    public int Of(int number) => Volatile.Read(ref _counts[number]);
}
