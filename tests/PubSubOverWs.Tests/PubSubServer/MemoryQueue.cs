using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// An SQS queue and the settler before it, as far as the dispatcher can see, for a hundred thousand messages: every call succeeds at once,
/// and visibility goes by a clock that the test moves.
/// </summary>
internal sealed class MemoryQueue(FakeTime time) : ISettlement
{
    private static readonly TimeSpan Round = TimeSpan.FromSeconds(30);

    private readonly Lock _lock = new();
    private readonly PriorityQueue<Stored, (long At, long Number)> _stored = new();
    private readonly Dictionary<string, Stored> _received = new(StringComparer.Ordinal);
    private Leases? _leases;
    private long _number;

    /// <summary>Messages that went to the dead-letter queue.</summary>
    public int DeadLettered { get; private set; }

    /// <summary>SQS messages that are in the queue, received ones among them.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _stored.Count + _received.Count;
        }
    }

    /// <summary>Those whose leases are told of deletes and releases.</summary>
    public MemoryQueue For(Leases leases)
    {
        _leases = leases;
        return this;
    }

    public void Send(params Message[] messages) => Send(EnvelopeJson.Write(null, messages), TimeSpan.Zero);

    /// <summary>Up to ten visible messages. The visibility time-out of received messages does not end: it is renewed.</summary>
    public IReadOnlyList<ReceivedMessage> Receive()
    {
        var batch = new List<ReceivedMessage>();
        lock (_lock)
        {
            while (batch.Count < QueueLimits.MaxBatchEntries && _stored.TryPeek(out _, out var place) && place.At <= time.GetTimestamp())
            {
                var stored = _stored.Dequeue();
                stored.Receives++;
                var handle = $"{++_number}";
                _received.Add(handle, stored);
                batch.Add(new ReceivedMessage(stored.Id, handle, stored.Body, stored.Receives));
            }
        }
        return batch;
    }

    /// <summary>
    /// The visibility of a received message ran out although it was renewed: it comes again, and its receipt handle is stale.
    /// </summary>
    public void Lapse(Lease lease) => Return(lease, TimeSpan.Zero);

    public void Delete(Lease lease)
    {
        lock (_lock)
            _received.Remove(lease.ReceiptHandle);
        _leases!.Remove([lease]);
    }

    public void Release(Lease lease, TimeSpan hidden)
    {
        Return(lease, hidden);
        _leases!.Remove([lease]);
    }

    public void SendAgain(Lease lease, IReadOnlyList<InboundMessage> messages, TimeSpan hidden)
    {
        Send(EnvelopeJson.Write(lease.Origin, [.. messages.Select(message => message.Message)]), hidden);
        foreach (var message in messages)
            message.Settle();
    }

    /// <summary>The parked queue is this one: what is parked comes out of it again after a round.</summary>
    public void Park(InboundMessage message) => SendAgain(message.Lease, [message], Round);

    public void Forward(InboundMessage message, EnvelopeSender way) => throw new NotSupportedException();

    public void DeadLetter(InboundMessage message)
    {
        lock (_lock)
            DeadLettered++;
        message.Settle();
    }

    public void DeadLetterWhole(Lease lease) => throw new NotSupportedException();

    private void Send(ReadOnlyMemory<byte> body, TimeSpan hidden)
    {
        lock (_lock)
            Store(new Stored($"sqs-{++_number}", body), hidden);
    }

    private void Return(Lease lease, TimeSpan hidden)
    {
        lock (_lock)
        {
            if (_received.Remove(lease.ReceiptHandle, out var stored))
                Store(stored, hidden);
        }
    }

    private void Store(Stored stored, TimeSpan hidden) => _stored.Enqueue(stored, (time.GetTimestamp() + hidden.Ticks, ++_number));

    private sealed class Stored(string id, ReadOnlyMemory<byte> body)
    {
        public string Id => id;

        public ReadOnlyMemory<byte> Body => body;

        public int Receives { get; set; }
    }
}
