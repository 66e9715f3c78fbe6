using System.Threading.Channels;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Offers received messages to the subscribers, and decides what happens to them: settled, held here, offered to the next, parked, released
/// to the queue, or dead-lettered. It does no I/O and never waits; <see cref="ISettlement"/> carries out its decisions.
/// </summary>
internal sealed partial class Dispatcher : IInboundOwner, IDisposable
{
    private const int RememberedCopies = 10_000;

    private readonly QueueContext _server;
    private readonly FlowContext _flow;
    private readonly ISettlement _settlement;
    private readonly Func<Delivery, DeliverOutcome> _deliver;
    private readonly Func<InboundMessage, EnvelopeSender?>? _elsewhere;
    private readonly MessageBacklog _held;
    private readonly Delays _delays;

    // Messages of topics that are settled here, as the queue may hand one out again: because its delete came too late, because the
    // transaction it came in is not settled, or because a standard queue may do so. Not by the application's id, which a publisher may use
    // again as it likes.
    private readonly RecentValues<(string SqsId, int Index), bool> _copies = new(RememberedCopies);

    // One reader: messages given back, and destinations to go through. Bounded by what is in flight.
    private readonly Channel<Reoffer> _reoffers = Channel.CreateUnbounded<Reoffer>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Lock _chanceLock = new();
    private readonly Random _chance;
    private volatile bool _stopping;

    /// <param name="elsewhere">Where a message belongs that was received here, null: here. Itself null where one server is alone.</param>
    public Dispatcher(
        FlowContext flow, ISettlement settlement, Func<Delivery, DeliverOutcome> deliver,
        Func<InboundMessage, EnvelopeSender?>? elsewhere = null)
    {
        _server = flow.Server;
        _flow = flow;
        _settlement = settlement;
        _deliver = deliver;
        _elsewhere = elsewhere;
        _held = new MessageBacklog(_server.Options.MaxHeld.Messages, _server.Held);
        _delays = new Delays(_server.Time, EndDelay);
        _chance = new Random(_server.Options.Seed);
    }

    /// <summary>Takes the messages of a receive. After <see cref="StopOffering"/> they go straight back.</summary>
    public void Accept(IReadOnlyList<ReceivedMessage> received)
    {
        _server.Meter.AddReceived(received.Count);
        var setAside = InFlightBudget.PerReceive;
        // One by one: a lease without memory is given back before the next is read.
        for (var i = 0; i < received.Count; i++)
        {
            var lease = CreateLease(received[i]);
            var isRoom = _flow.Leases.TryAdd(lease, setAside);
            setAside = Math.Max(0, setAside - lease.SizeCounted);
            if (_stopping)
                Release(lease, TimeSpan.Zero);
            else if (isRoom)
                Offer(lease);
            else
                ReleaseUnseen(lease);
        }
    }

    /// <summary>A subscriber came, or has room again. Cheap while nothing is held, and for topics.</summary>
    /// <returns>Whether messages are held for it, which are offered now.</returns>
    public bool RoomAt(string destination)
    {
        // A topic's message waits for no subscriber, but for whether its node is surely dead (RoomEverywhere).
        if (DestinationName.IsTopic(destination))
            return false;
        var holds = _held.HasAny(destination);
        if (_held.MarkReady(destination))
            _reoffers.Writer.TryWrite(new Reoffer(null, destination));
        return holds;
    }

    /// <summary>All that is held here may find a taker now.</summary>
    public void RoomEverywhere()
    {
        foreach (var destination in _held.MarkAllReady())
            _reoffers.Writer.TryWrite(new Reoffer(null, destination));
    }

    /// <summary>Offers messages again that were given back or have waited, until <see cref="ReleaseAll"/>.</summary>
    public async Task RunAsync()
    {
        // No token: ReleaseAll completes the channel.
        while (await _reoffers.Reader.WaitToReadAsync(CancellationToken.None))
            OfferPending();
    }

    /// <summary>Offers again all messages that are due. One thread at a time.</summary>
    public void OfferPending()
    {
        while (_reoffers.Reader.TryRead(out var reoffer))
        {
            if (reoffer.Message is { } message)
                Offer(message);
            else if (!_stopping)
                OfferHeld(reoffer.Destination!);
        }
    }

    public void TakenToFlush(InboundMessage message)
    {
        if (_server.Options.Settle.Auto == SettleAuto.Receive)
            Settled(message);
    }

    public void Settled(InboundMessage message)
    {
        // Its lease may be received again because of another message, or because its delete came too late.
        if (DestinationName.IsTopic(message.Message.Destination) && (message.Lease.IsMixed || !message.IsForNobody))
            _copies.Remember((message.Lease.MessageId, message.Index), true);
        var next = message.Lease.Settle(message);
        if (next != LeaseNext.Delete)
            _flow.Leases.Shrink(message.Lease);
        Follow(message.Lease, next);
    }

    public void GivenBack(InboundMessage message, GiveBackReason reason)
    {
        // The queue has it again, and will hand it out again.
        if (message.Lease.IsReleased)
            return;
        message.Redelivered = true;
        if (message.State == InboundState.Settled)
            _server.RelayMeter.AddDrop(DropCause.Closed);
        else if (message.AllDeliveries >= _server.Options.MaxDeliveries)
            _settlement.DeadLetter(message);
        else if (reason == GiveBackReason.Nack && !_stopping)
            Delay(message);
        else
            OfferLater(message);
    }

    public void NotForwarded(InboundMessage message) => OfferLater(message);

    public void Dispose()
    {
        _delays.Dispose();
        _held.Dispose();
    }

    private Lease CreateLease(ReceivedMessage received)
    {
        if (EnvelopeJson.TryRead(received.Body, out var envelope, out var reason))
            return new Lease(received, envelope, message => _server.Deliveries.Recall((message.Id, message.Destination)), this);
        _server.Log.NoEnvelope(received.MessageId, reason);
        _server.Meter.AddNoEnvelope();
        return new Lease(received);
    }

    private void Offer(Lease lease)
    {
        if (lease.NoEnvelope is not null)
            _settlement.DeadLetterWhole(lease);
        foreach (var message in lease.Messages)
        {
            // Before it is offered: a message that finds no room is parked again, and counts again.
            if (_flow.Urls.IsParked)
                _server.Parked.Received(message.Message.Destination);
            message.Rooms = _server.Parked.RoomsAt(message.Message.Destination);
            // The dead-letter queue refused it, and is asked again.
            if (message.CarriedDeliveries >= _server.Options.MaxDeliveries)
                _settlement.DeadLetter(message);
            // A message of another node does not wait behind those that are held here.
            else if (_held.HasAny(message.Message.Destination) && _elsewhere?.Invoke(message) is null)
                Hold(message);
            else
                Offer(message);
        }
    }

    private void Offer(InboundMessage message)
    {
        if (_stopping || !TryDeliver(message))
            Hold(message);
    }

    // One destination, until no subscriber has room: messages and room share one queue, so that none overtakes and none is forgotten.
    private void OfferHeld(string destination)
    {
        var isRoom = true;
        while (_held.TryBegin(destination, out var message))
        {
            if (!message.Lease.TryTake(message) || TryDeliver(message))
            {
                _held.Forget(message);
            }
            else if (!MayHold(message))
            {
                isRoom = false;
                _held.Forget(message);
                Overflow(message);
            }
            else if (!ReturnToHeld(message))
            {
                return;
            }
        }
        if (isRoom)
            _server.Parked.RoomAt(destination, isWanted: true);
    }

    private bool ReturnToHeld(InboundMessage message)
    {
        var next = message.Lease.Wait(message);
        Follow(message.Lease, next);
        if (next == LeaseNext.Split)
        {
            _held.Forget(message);
            return true;
        }
        var goOn = _held.Return(message);
        _held.RemoveUnlessWaiting(message);
        if (_stopping)
            ReleaseIdle(message.Lease);
        return goOn;
    }

    private bool TryDeliver(InboundMessage message)
    {
        if (_flow.Leases.MayHaveLapsed(message.Lease))
            return false;
        if (_elsewhere?.Invoke(message) is { } way)
        {
            _settlement.Forward(message, way);
            return true;
        }
        var isTopic = DestinationName.IsTopic(message.Message.Destination);
        if (isTopic && _copies.Recall((message.Lease.MessageId, message.Index)))
        {
            Settled(message);
            return true;
        }
        var redelivered = message.Redelivered;
        message.Rooms = _server.Parked.RoomsAt(message.Message.Destination);
        var outcome = _deliver(message);
        message.IsForNobody = outcome == DeliverOutcome.NoSubscriber;
        if (outcome == DeliverOutcome.NoRoom
            || (outcome == DeliverOutcome.NoSubscriber && DestinationName.IsQueue(message.Message.Destination)))
            return false;
        if (outcome == DeliverOutcome.NoSubscriber)
        {
            _server.RelayMeter.AddDrop(DropCause.NoSubscriber);
            Settled(message);
            return true;
        }
        if (redelivered)
            _server.Meter.AddRedelivered();
        if (outcome == DeliverOutcome.Missed)
            _server.RelayMeter.AddDrop(DropCause.Shed, message.WithoutRoom);
        return true;
    }

    // Messages without a subscriber stay in the parked queue.
    private bool MayHold(InboundMessage message) => !_flow.Urls.IsParked || !message.IsForNobody;

    private void Hold(InboundMessage message)
    {
        var next = message.Lease.Wait(message);
        Follow(message.Lease, next);
        message.HasWaited = true;
        if (_stopping)
            ReleaseIdle(message.Lease);
        else if (next == LeaseNext.Split)
            return;
        else if (MayHold(message) && _held.TryAdd(message, out var mustOffer))
        {
            if (mustOffer)
                _reoffers.Writer.TryWrite(new Reoffer(null, message.Message.Destination));
            // Perhaps the last other message of its lease was settled meanwhile, and it was sent again.
            _held.RemoveUnlessWaiting(message);
        }
        else if (message.Lease.TryTake(message))
        {
            Overflow(message);
        }
    }

    // A message that waits out a NACK counts as held.
    private void Delay(InboundMessage message)
    {
        if (_held.TryDelay(message))
            _delays.Add(message, OfferDelay.AfterGiveBack(message.AllDeliveries));
        else
            Overflow(message);
    }

    private void EndDelay(InboundMessage message)
    {
        _held.EndDelay(message);
        OfferLater(message);
    }

    private void Overflow(InboundMessage message)
    {
        var destination = message.Message.Destination;
        // A message to a topic or a raw connection is for this server alone, and soon has no subscriber.
        if (!DestinationName.IsQueue(destination))
        {
            _settlement.SendAgain(message.Lease, [message], Detour());
            return;
        }
        if (_flow.Urls.IsParked)
            _server.Parked.FoundNoRoom(destination);
        _server.Parked.Parking(destination, message.Rooms);
        _settlement.Park(message);
    }

    private TimeSpan Detour()
    {
        lock (_chanceLock)
            return OfferDelay.ForDetour(_chance.NextDouble());
    }

    private void Follow(Lease lease, LeaseNext next)
    {
        if (next == LeaseNext.Delete)
            _settlement.Delete(lease);
        else if (next == LeaseNext.Split && lease.TakeRemainder() is { Count: > 0 } remainder)
        {
            foreach (var message in remainder)
                _held.Remove(message);
            _settlement.SendAgain(lease, remainder, TimeSpan.Zero);
        }
    }

    private void OfferLater(InboundMessage message) => _reoffers.Writer.TryWrite(new Reoffer(message, null));

    private readonly record struct Reoffer(InboundMessage? Message, string? Destination);
}
