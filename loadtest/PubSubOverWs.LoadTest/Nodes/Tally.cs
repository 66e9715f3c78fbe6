using System.Buffers.Text;
using System.Collections.Concurrent;
using System.Text;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>Which of a series of numbered messages came, and how often. Safe from any thread; a few octets for each message.</summary>
public sealed class Tally(int messages)
{
    private readonly int[] _counts = new int[messages];
    private readonly ConcurrentDictionary<string, int> _unexpected = new(StringComparer.Ordinal);
    private int _distinct;
    private long _arrivals, _corrupted;

    /// <summary>Different messages that came at least once.</summary>
    public int Distinct => Volatile.Read(ref _distinct);

    /// <summary>All that came, copies too.</summary>
    public long Arrivals => Volatile.Read(ref _arrivals);

    /// <summary>Arrivals of a message that had come before.</summary>
    public long Duplicates => Arrivals - Distinct - Unexpected;

    /// <summary>Arrivals that are none of the messages.</summary>
    public int Unexpected => _unexpected.Values.Sum();

    /// <summary>Arrivals whose body is not the one that belongs to their id.</summary>
    public long Corrupted => Volatile.Read(ref _corrupted);

    /// <param name="message">A MESSAGE, published by a <see cref="NodePublisher"/>.</param>
    public void Count(in StompFrame message)
    {
        message.TryGet(StompNames.Id, out var id);
        Interlocked.Increment(ref _arrivals);
        if (!Utf8Parser.TryParse(id, out int number, out var length) || length != id.Length || number < 0 || number >= _counts.Length)
            _unexpected.AddOrUpdate(Encoding.UTF8.GetString(id), 1, (_, count) => count + 1);
        else if (Interlocked.Increment(ref _counts[number]) == 1)
            Interlocked.Increment(ref _distinct);
        if (!Payload.TryRead(message.Body, out var inside) || !inside.SequenceEqual(id))
            Interlocked.Increment(ref _corrupted);
    }

    /// <summary>How often the message came.</summary>
    public int Of(int number) => Volatile.Read(ref _counts[number]);
}
