using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Objects that all parts share that send to a server's queues, or read them; with the budgets within which all flows stay together.
/// </summary>
/// <param name="Health">Told by the client how its calls went.</param>
/// <param name="RelayMeter">Counts what is lost.</param>
/// <param name="Awake">That by which a publish waits for the queue's answer.</param>
internal sealed record QueueContext(
    IQueue Queue, QueueHealth Health, QueueBrokerOptions Options, RelayMeter RelayMeter, TimeProvider Time, TimeProvider Awake, ILogger Log)
{
    private const int RememberedDeliveries = 10_000;
    private const int BytesOfDelivery = 100;
    private const long RememberedBytes = 16 << 20;

    public QueueMeter Meter { get; } = new();

    /// <summary>The same queue for calls that say nothing of this server's readiness.</summary>
    public IQueue Unwatched { get; private init; } = Queue;

    /// <summary>For SQS messages that were received and are neither deleted nor released.</summary>
    public InFlightBudget InFlight { get; init; } = new(Options.MaxInFlightBytes);

    /// <summary>Of that, for messages that wait for a subscriber, for room, or for the delay after a NACK.</summary>
    public Budget Held { get; } = new(Options.MaxHeld.Bytes);

    /// <summary>
    /// How many deliveries of messages failed that are in the queue again, as the queue itself counts only how often it handed one out. A
    /// message that is forgotten counts from zero.
    /// </summary>
    public RecentValues<(string Id, string Destination), int> Deliveries { get; } = new(
        RememberedDeliveries, RememberedBytes, key => BytesOfDelivery + (sizeof(char) * (key.Id.Length + key.Destination.Length)));

    /// <summary>The server's knowledge of the parked queue.</summary>
    public ParkedDestinations Parked { get; } = new(Time, Options.VisibilityTimeout);

    public static QueueContext Create(
        IQueue queue, QueueBrokerOptions options, RelayMeter relayMeter, TimeProvider time, TimeProvider awake, ILogger log)
    {
        var health = new QueueHealth(time, log);
        return new(new WatchedQueue(queue, health), health, options, relayMeter, time, awake, log) { Unwatched = queue };
    }

    /// <summary>The most that all this may take, in bytes, with the bodies that are under way from one queue to another.</summary>
    public static long ComputeMaxBytes(QueueBrokerOptions options)
    {
        // Its own and the parked one; of a node also the one that all share, and that of a dead node.
        var queues = options.Nodes.Enabled ? 4 : 2;
        return options.MaxInFlightBytes + RememberedBytes + ParkedDestinations.MaxBytes + (queues * Settler.MaxBytesUnderWay);
    }
}

/// <summary>Objects that the parts of one <see cref="QueueFlow"/> share.</summary>
/// <param name="Server">Shared with all flows of the server.</param>
/// <param name="Urls">The queue that is read, and where else its messages go.</param>
/// <param name="Leases">Messages that were received and are neither deleted nor released.</param>
/// <param name="Calls">Repeats calls until the flow ends.</param>
internal sealed record FlowContext(QueueContext Server, QueueUrls Urls, Leases Leases, PatientCalls Calls)
{
    public static FlowContext Create(QueueContext server, QueueUrls urls, CancellationToken stopped) => new(
        server, urls, new Leases(server.Time, server.Options.VisibilityTimeout, server.Options.MaxInFlight, server.InFlight),
        new PatientCalls(server.Time, stopped));
}

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
