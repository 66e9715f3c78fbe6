using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

// The states of one message of a lease. "Sent on" is the work of Settler, the rest that of Dispatcher. A lease that ends
// early (IsReleased, or TryEnd because the queue took it back) ends every state: the queue hands the message out again.
//
// | state   | InboundState | until                                                                          | next             |
// |---------|--------------|--------------------------------------------------------------------------------|------------------|
// | offered | Out          | a subscriber takes it (TryDeliver)                                             | given            |
// |         |              | it belongs to another node (Forward), or was delivered too often (DeadLetter)  | sent on          |
// |         |              | it is to a topic without a subscriber here, or that had it already             | settled          |
// |         |              | no subscriber of its queue has room, or its lease may have lapsed (Hold):      |                  |
// |         |              | there is a place for it here                                                   | held             |
// |         |              | as before, and there is none (Overflow)                                        | sent on          |
// | given   | Out          | acknowledged, or written with ack:auto (Settled)                               | settled          |
// |         |              | NACK (GivenBack)                                                               | delayed          |
// |         |              | the subscriber left (GivenBack)                                                | offered          |
// |         |              | as the two before, after MaxDeliveries that failed (DeadLetter)                | sent on          |
// | delayed | Out          | the delay is over (EndDelay); it counts as held, and is sent on without a place | offered          |
// | held    | Waiting      | a subscriber may have room, or the lease is renewed (OfferHeld)                | offered          |
// |         |              | all others of its lease are settled (LeaseNext.Split)                          | sent on          |
// | sent on | Out          | the parked, dead-letter or own queue, or another node, has it                  | settled          |
// |         |              | the other node's queue cannot take it (NotForwarded)                           | offered          |
// | settled | Settled      | all messages of the lease are settled (LeaseNext.Delete)                       | deleted from SQS |

/// <summary>
/// One received SQS message, leased for the visibility time-out: it is renewed until all its messages are settled, and then deleted.
/// Thread-safe.
/// </summary>
internal sealed class Lease
{
    // Objects and places in lists: 64-bit headers and references, rounded up.
    private const int BytesOfLease = 500;
    private const int BytesOfMessage = 400;

    private readonly Lock _lock = new();

    // Unsettled messages, unordered, so that the memory of the lease shrinks with them.
    private readonly List<InboundMessage> _messages;
    private readonly int _received;
    private int _waiting;
    private bool _ended;
    private bool _released;
    private long _size;

    public Lease(ReceivedMessage received, Envelope envelope, Func<Message, int> earlierDeliveries, IInboundOwner owner)
    {
        MessageId = received.MessageId;
        ReceiptHandle = received.ReceiptHandle;
        SizeAlone = SizeOf(received, envelope.Origin);
        Origin = envelope.Origin;
        _received = envelope.Messages.Count;
        _messages = new List<InboundMessage>(_received);
        for (var i = 0; i < _received; i++)
        {
            var message = envelope.Messages[i];
            var carried = envelope.Deliveries?[i];
            var earlier = Math.Max(carried ?? 0, earlierDeliveries(message));
            _messages.Add(new InboundMessage(message, this, earlier, owner)
            {
                Index = i,
                PlaceInLease = i,
                CarriedDeliveries = carried ?? 0,
                Redelivered = carried is not null || earlier > 0 || received.ApproximateReceiveCount > 1,
                Size = SizeOf(message, received),
            });
        }
        _size = SizeAlone + _messages.Sum(message => message.Size);
        IsMixed = _received > 1 && envelope.Messages.Select(message => DestinationName.IsTopic(message.Destination)).Distinct().Count() > 1;
    }

    /// <summary>Of an SQS message that is no envelope: it has no messages, and goes to the dead-letter queue as it is.</summary>
    public Lease(ReceivedMessage received)
    {
        MessageId = received.MessageId;
        ReceiptHandle = received.ReceiptHandle;
        SizeAlone = SizeOf(received, origin: null);
        NoEnvelope = received.Body;
        _size = SizeAlone + received.Body.Length;
        _messages = [];
    }

    /// <summary>The queue's own id: the same in every receive.</summary>
    public string MessageId { get; }

    public string ReceiptHandle { get; }

    /// <summary>The received body, if it is not an envelope; of an envelope only its messages are kept.</summary>
    public ReadOnlyMemory<byte>? NoEnvelope { get; }

    public EnvelopeOrigin? Origin { get; }

    /// <summary>Its memory now, in bytes: itself, and the messages that are not settled. The last counts until it is deleted.</summary>
    public long Size => Volatile.Read(ref _size);

    /// <summary>Its memory without messages, in bytes.</summary>
    public long SizeAlone { get; }

    /// <summary>
    /// The part of <see cref="Size"/> that is counted in <see cref="InFlightBudget"/>. Only <see cref="Leases"/> changes it.
    /// </summary>
    public long SizeCounted { get; set; }

    /// <summary>It has messages to topics and to others: a transaction, which went through a queue as a whole.</summary>
    public bool IsMixed { get; }

    /// <summary>Those that are not settled now; as they came, until one is.</summary>
    public IReadOnlyList<InboundMessage> Messages
    {
        get
        {
            lock (_lock)
                return [.. _messages];
        }
    }

    /// <summary>All of it goes back to the queue: later acknowledgements of its messages have no effect.</summary>
    public bool IsReleased
    {
        get => Volatile.Read(ref _released);
        set => Volatile.Write(ref _released, value);
    }

    /// <summary>
    /// The next renewal, as a timestamp of the clock of its <see cref="Leases"/>; theirs to read and to change, like the links.
    /// </summary>
    public long RenewAt { get; set; }

    /// <summary>When it was added to its <see cref="Leases"/>, as a timestamp of their clock.</summary>
    public long ReceivedAt { get; set; }

    public LinkedListNode<Lease>? Place { get; set; }

    public bool IsBeingRenewed { get; set; }

    /// <summary>When the queue last handed it out or renewed it, or before: a timestamp, too.</summary>
    public long ConfirmedAt { get; set; }

    /// <summary>The messages that are not settled, and their body bytes; none once the lease ended.</summary>
    public (int Messages, long Bytes) Unsettled
    {
        get
        {
            lock (_lock)
                return _ended ? default : (_messages.Count, _messages.Sum(message => (long)message.Message.Body.Length));
        }
    }

    public LeaseNext Settle(InboundMessage message)
    {
        lock (_lock)
        {
            if (_ended || message.State != InboundState.Out)
                return LeaseNext.Keep;
            message.State = InboundState.Settled;
            Drop(message);
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

    /// <summary>
    /// It waited, and will be offered again or sent elsewhere. False: it no longer waits, because the lease ended or was split.
    /// </summary>
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
            foreach (var message in _messages)
                message.State = InboundState.Out;
            _waiting = 0;
            return [.. _messages.OrderBy(message => message.Index)];
        }
    }

    /// <summary>The SQS message is being released or was lost: later changes of its messages have no effect.</summary>
    /// <param name="evenWithSubscribers">False: only when no message is out.</param>
    /// <returns>False: it had ended, or a message is out.</returns>
    public bool TryEnd(bool evenWithSubscribers)
    {
        lock (_lock)
        {
            if (_ended || (!evenWithSubscribers && _waiting < _messages.Count))
                return false;
            _ended = true;
            return true;
        }
    }

    /// <summary>It ended, and its messages are no longer needed.</summary>
    public void DropAll()
    {
        lock (_lock)
        {
            _messages.Clear();
            _messages.Capacity = 0;
            _size = SizeAlone;
        }
    }

    private static long SizeOf(ReceivedMessage received, EnvelopeOrigin? origin) =>
        BytesOfLease + (sizeof(char) * (received.ReceiptHandle.Length + received.MessageId.Length
            + (origin is null ? 0 : origin.Node.Length + origin.Connection.Length)));

    // A body that is a slice of the received body keeps the whole of it.
    private static long SizeOf(Message message, ReceivedMessage received) =>
        BytesOfMessage + message.Size + (message.Body.Span.Overlaps(received.Body.Span) ? received.Body.Length - message.Body.Length : 0);

    private void Drop(InboundMessage message)
    {
        var last = _messages[^1];
        _messages[message.PlaceInLease] = last;
        last.PlaceInLease = message.PlaceInLease;
        _messages.RemoveAt(_messages.Count - 1);
        if (_messages.Count < _messages.Capacity / 4)
            _messages.Capacity = 2 * _messages.Count;
        // The last goes with the lease.
        if (_messages.Count > 0)
            _size -= message.Size;
    }

    private LeaseNext Next()
    {
        if (_ended || _waiting < _messages.Count)
            return LeaseNext.Keep;
        if (_waiting > 0)
            return _messages.Count < _received ? LeaseNext.Split : LeaseNext.Keep;
        _ended = true;
        return LeaseNext.Delete;
    }
}

/// <summary>The effect of a change to one of its messages on a lease.</summary>
internal enum LeaseNext
{
    /// <summary>Nothing yet.</summary>
    Keep,

    /// <summary>All its messages are settled: delete the SQS message.</summary>
    Delete,

    /// <summary>
    /// Some of its messages are settled and the others wait: these go into an envelope of their own (<see cref="Lease.TakeRemainder"/>).
    /// </summary>
    Split,
}

/// <summary>
/// One message of a received envelope, on its way to a subscriber. Its lease reads and changes <see cref="PlaceInLease"/> and
/// <see cref="State"/>, the held messages <see cref="Place"/>, the dispatcher <see cref="Rooms"/> and <see cref="IsForNobody"/>.
/// </summary>
/// <param name="earlierDeliveries">How many deliveries of earlier copies of it failed, here or at the node that sent it on.</param>
/// <param name="owner">Told how the subscriber ended it.</param>
internal sealed class InboundMessage(Message message, Lease lease, int earlierDeliveries, IInboundOwner owner) : Delivery(message)
{
    public Lease Lease => lease;

    /// <summary>Its memory, in bytes, without its lease.</summary>
    public long Size { get; init; }

    /// <summary>With its lease, which stays for as long as one of its messages does: that counts in full for each.</summary>
    public override long Memory => Size + lease.SizeAlone;

    /// <summary>Its place in the envelope, from 0.</summary>
    public int Index { get; init; }

    /// <summary>How many of its deliveries had failed when its envelope was sent.</summary>
    public int CarriedDeliveries { get; init; }

    /// <summary>What an envelope that it is sent on in says of that now; null: it never was with a subscriber.</summary>
    public int? DeliveriesToCarry => Redelivered || AllDeliveries > 0 ? AllDeliveries : null;

    public int PlaceInLease { get; set; }
    public InboundState State { get; set; }

    /// <summary>Its place among the held; null when it is not there.</summary>
    public LinkedListNode<InboundMessage>? Place { get; set; }

    /// <summary>The value of <see cref="ParkedDestinations.RoomsAt"/> before it was offered last.</summary>
    public int Rooms { get; set; }

    /// <summary>It had no subscriber when it was offered last.</summary>
    public bool IsForNobody { get; set; }

    /// <summary>How many of its deliveries failed, those of earlier copies included.</summary>
    public int AllDeliveries => earlierDeliveries + Deliveries;

    /// <summary>Another envelope, another node or the dead-letter queue has it now.</summary>
    public void Settle() => owner.Settled(this);

    /// <inheritdoc cref="IInboundOwner.NotForwarded"/>
    public void NotForwarded() => owner.NotForwarded(this);

    protected override void OnTakenToFlush() => owner.TakenToFlush(this);
    protected override void OnSettled() => owner.Settled(this);
    protected override void OnGivenBack(GiveBackReason reason) => owner.GivenBack(this, reason);
}

/// <summary>The state of a received message, as far as its lease knows it: the table above <see cref="Lease"/> has them all.</summary>
internal enum InboundState
{
    /// <summary>Offered, given to a subscriber, delayed after a NACK, or being sent on to another queue.</summary>
    Out,

    /// <summary>Held: it has no subscriber, or none with room.</summary>
    Waiting,

    /// <summary>Nothing more is done for it here.</summary>
    Settled,
}

/// <summary>Told what became of a message that was handed to a subscriber. Called from any thread; must not block.</summary>
internal interface IInboundOwner
{
    /// <summary>A subscriber with <c>ack:auto</c> took it. Called within the locks of the subscription.</summary>
    void TakenToFlush(InboundMessage message);

    void Settled(InboundMessage message);

    void GivenBack(InboundMessage message, GiveBackReason reason);

    /// <summary>It could not be sent to another node, and must be offered again.</summary>
    void NotForwarded(InboundMessage message);
}
