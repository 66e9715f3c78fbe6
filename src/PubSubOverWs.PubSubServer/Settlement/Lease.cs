using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// One received SQS message, ours for the visibility time-out: it is renewed until all its messages are settled, and then deleted.
/// Safe from any thread.
/// </summary>
internal sealed class Lease
{
    // Objects and places in lists: 64-bit headers and references, rounded up.
    private const int BytesOfLease = 500;
    private const int BytesOfMessage = 400;

    private readonly Lock _lock = new();
    private readonly InboundMessage[] _messages;
    private int _waiting;
    private int _settled;
    private bool _ended;
    private bool _released;

    public Lease(ReceivedMessage received, Envelope envelope, Func<Message, int> earlierDeliveries, IInboundOwner owner)
    {
        Received = received;
        Origin = envelope.Origin;
        ParkedAt = envelope.ParkedAt ?? 0;
        CarriedDeliveries = envelope.Deliveries;
        _messages = new InboundMessage[envelope.Messages.Count];
        for (var i = 0; i < _messages.Length; i++)
        {
            var earlier = Math.Max(envelope.Deliveries?[i] ?? 0, earlierDeliveries(envelope.Messages[i]));
            _messages[i] = new InboundMessage(envelope.Messages[i], this, earlier, owner) { Index = i, Redelivered = earlier > 0 || received.ApproximateReceiveCount > 1 };
        }
        Size = SizeOf(received) + _messages.Sum(message => SizeOf(message.Message, received));
        Kept = new KeptMemory(Size);
        IsMixed = _messages.Length > 1 && _messages.Select(message => DestinationName.IsTopic(message.Message.Destination)).Distinct().Count() > 1;
    }

    /// <summary>Of an SQS message that is no envelope: it has no messages, and goes to the dead-letter queue as it is.</summary>
    public Lease(ReceivedMessage received)
    {
        Received = received;
        Size = SizeOf(received);
        Kept = new KeptMemory(Size);
        _messages = [];
    }

    public ReceivedMessage Received { get; }

    public EnvelopeOrigin? Origin { get; }

    /// <summary>When it was parked (<see cref="ParkedDestinations.Stamp"/>); 0: never.</summary>
    public long ParkedAt { get; }

    /// <summary>How often each message had been delivered when the envelope was sent; null: none had.</summary>
    public IReadOnlyList<int>? CarriedDeliveries { get; }

    /// <summary>What it takes in memory, in bytes: what was received, and what was read out of it.</summary>
    public long Size { get; }

    /// <summary><see cref="Size"/>, as it counts for those who were given its messages.</summary>
    public KeptMemory Kept { get; }

    /// <summary>It has messages to topics and to others: a transaction, which went through a queue as a whole.</summary>
    public bool IsMixed { get; }

    public IReadOnlyList<InboundMessage> Messages => _messages;

    /// <summary>It goes back to the queue as a whole: what subscribers still do with its messages changes nothing.</summary>
    public bool IsReleased
    {
        get => Volatile.Read(ref _released);
        set => Volatile.Write(ref _released, value);
    }

    /// <summary>The next renewal, as a timestamp of the clock of its <see cref="Leases"/>; theirs to read and to change, like the links.</summary>
    public long RenewAt { get; set; }

    public LinkedListNode<Lease>? Place { get; set; }

    public bool IsBeingRenewed { get; set; }

    /// <summary>The messages that are not settled, and their body bytes; none once the lease ended.</summary>
    public (int Messages, long Bytes) Unsettled
    {
        get
        {
            lock (_lock)
                return _ended ? default : (_messages.Length - _settled, _messages.Sum(UnsettledBytes));
        }
    }

    public LeaseNext Settle(InboundMessage message)
    {
        lock (_lock)
        {
            if (_ended || message.State != InboundState.Out)
                return LeaseNext.Keep;
            message.State = InboundState.Settled;
            _settled++;
            return Next();
        }
    }

    /// <summary>It found no subscriber with room.</summary>
    public LeaseNext Wait(InboundMessage message)
    {
        lock (_lock)
        {
            if (_ended || message.State != InboundState.Out)
                return LeaseNext.Keep;
            message.State = InboundState.Waiting;
            _waiting++;
            return Next();
        }
    }

    /// <summary>It waited, and is to be offered again or sent elsewhere. False: it no longer waits, because the lease ended or was split.</summary>
    public bool TryTake(InboundMessage message)
    {
        lock (_lock)
        {
            if (_ended || message.State != InboundState.Waiting)
                return false;
            message.State = InboundState.Out;
            _waiting--;
            return true;
        }
    }

    /// <summary>Takes all that wait. Empty when another thread was faster.</summary>
    public IReadOnlyList<InboundMessage> TakeRemainder()
    {
        lock (_lock)
        {
            if (Next() != LeaseNext.Split)
                return [];
            var remainder = Array.FindAll(_messages, message => message.State == InboundState.Waiting);
            foreach (var message in remainder)
                message.State = InboundState.Out;
            _waiting = 0;
            return remainder;
        }
    }

    /// <summary>The SQS message is being released or was lost: nothing that happens to its messages counts any more.</summary>
    /// <param name="evenWithSubscribers">False: only when no message is out.</param>
    /// <returns>False: it had ended, or a message is out.</returns>
    public bool TryEnd(bool evenWithSubscribers)
    {
        lock (_lock)
        {
            if (_ended || (!evenWithSubscribers && _waiting + _settled < _messages.Length))
                return false;
            _ended = true;
            return true;
        }
    }

    private static long SizeOf(ReceivedMessage received) =>
        BytesOfLease + received.Body.Length + (sizeof(char) * (received.ReceiptHandle.Length + received.MessageId.Length));

    // A body that travelled without an escape is a slice of what was received.
    private static long SizeOf(Message message, ReceivedMessage received) =>
        BytesOfMessage + message.Size - (message.Body.Span.Overlaps(received.Body.Span) ? message.Body.Length : 0);

    private static long UnsettledBytes(InboundMessage message) => message.State == InboundState.Settled ? 0 : message.Message.Body.Length;

    private LeaseNext Next()
    {
        if (_ended || _settled + _waiting < _messages.Length)
            return LeaseNext.Keep;
        if (_waiting > 0)
            return _settled > 0 ? LeaseNext.Split : LeaseNext.Keep;
        _ended = true;
        return LeaseNext.Delete;
    }
}
