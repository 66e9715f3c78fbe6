using System.Collections.Concurrent;
using System.Globalization;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Writes down what the dispatcher decided, as words.</summary>
internal sealed class FakeSettlement : ISettlement
{
    public List<string> Decided { get; } = [];

    public void Delete(Lease lease) => Decided.Add($"delete {lease.ReceiptHandle}");

    public void Release(Lease lease, TimeSpan hidden) => Decided.Add($"release {lease.ReceiptHandle} {Seconds(hidden)}");

    public void SendAgain(Lease lease, IReadOnlyList<InboundMessage> messages, TimeSpan hidden)
    {
        Decided.Add($"send again {string.Join(' ', messages.Select(message => message.Message.Id))} {Seconds(hidden)}");
        foreach (var message in messages)
            message.Settle();
    }

    public void Park(InboundMessage message)
    {
        Decided.Add($"park {message.Message.Id}");
        message.Settle();
    }

    public bool ForwardFails { get; set; }

    public void Forward(InboundMessage message, EnvelopeSender way)
    {
        Decided.Add($"forward {message.Message.Id}");
        if (ForwardFails)
            message.NotForwarded();
        else
            message.Settle();
    }

    public void DeadLetter(InboundMessage message)
    {
        Decided.Add($"dead-letter {message.Message.Id}");
        message.Settle();
    }

    public void DeadLetterWhole(Lease lease) => Decided.Add($"dead-letter whole {lease.ReceiptHandle}");

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString(CultureInfo.InvariantCulture);
}

/// <summary>
/// Subscribers as the relay has them, as far as a broker can see: so much room at each destination with a subscriber. Safe from any thread.
/// </summary>
internal sealed class FakeSubscribers
{
    private readonly Dictionary<string, int> _room = [];
    private readonly List<Delivery> _took = [];

    /// <summary>The deliveries that they took so far, in order.</summary>
    public List<Delivery> Took
    {
        get
        {
            lock (_room)
                return [.. _took];
        }
    }

    public IEnumerable<string> TookIds => Took.Select(delivery => delivery.Message.Id);

    /// <summary>Runs within each offer, before it is answered.</summary>
    public Action<Delivery> OnOffer { get; set; } = _ => { };

    public void Subscribe(string destination, int room = int.MaxValue)
    {
        lock (_room)
            _room[destination] = room;
    }

    public void Leave(string destination)
    {
        lock (_room)
            _room.Remove(destination);
    }

    public DeliverOutcome Deliver(Delivery delivery)
    {
        lock (_room)
        {
            OnOffer(delivery);
            if (!_room.TryGetValue(delivery.Message.Destination, out var room))
                return DeliverOutcome.NoSubscriber;
            if (room == 0)
                return DeliverOutcome.NoRoom;
            _room[delivery.Message.Destination] = room - 1;
            delivery.Deliveries++;
            _took.Add(delivery);
            delivery.OnTakenToFlush();
            return DeliverOutcome.Taken;
        }
    }
}

/// <summary>
/// Remembers what became of the messages of leases. Safe from any thread, for several calls to a queue are under way at once.
/// </summary>
internal sealed class RecordingOwner : IInboundOwner
{
    public ConcurrentQueue<string> SettledIds { get; } = [];

    public ConcurrentQueue<string> NotForwardedIds { get; } = [];

    /// <summary>For a test that does not look at what becomes of it.</summary>
    public static Lease LeaseOf(params Message[] messages) => new RecordingOwner().Lease(Sample.Received(messages));

    public Lease Lease(ReceivedMessage received)
    {
        Assert.True(EnvelopeJson.TryRead(received.Body, out var envelope, out _));
        return new Lease(received, envelope, _ => 0, this);
    }

    public void TakenToFlush(InboundMessage message)
    {
    }

    public void Settled(InboundMessage message) => SettledIds.Enqueue(message.Message.Id);

    public void GivenBack(InboundMessage message, GiveBackReason reason)
    {
    }

    public void NotForwarded(InboundMessage message) => NotForwardedIds.Enqueue(message.Message.Id);
}
