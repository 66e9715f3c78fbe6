using System.Buffers;
using System.Buffers.Text;
using System.Collections.Concurrent;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>The subscribers of this server by destination, and how a message gets to them.</summary>
public sealed class Subscriptions
{
    private const int MaxFound = 128;

    private readonly DeliveryStep? _step;
    private readonly RelayTelemetry _telemetry;
    private readonly ConcurrentDictionary<string, Destination> _destinations = new(StringComparer.Ordinal);

    internal Subscriptions(DeliveryStep step, RelayTelemetry telemetry)
    {
        _step = step.IsOn ? step : null;
        _telemetry = telemetry;
    }

    /// <summary>Subscriptions of all clients.</summary>
    internal int Count => _destinations.Sum(one => one.Value.Count);

    /// <summary>Messages that clients were given and have not settled; null: the broker does not bound them.</summary>
    internal UnsettledBudget? UnsettledBudget { get; private set; }

    /// <summary>The destinations that have a subscriber now.</summary>
    public ICollection<string> Destinations => _destinations.Keys;

    /// <summary>Whether the destination has a subscriber.</summary>
    public bool HasAny(string destination) => _destinations.ContainsKey(destination);

    /// <summary>The name of a destination with a subscriber, not created again; null: none has it, or it is long or not ASCII.</summary>
    /// <param name="name">In UTF-8.</param>
    internal string? Find(ReadOnlySpan<byte> name)
    {
        Span<char> characters = stackalloc char[MaxFound];
        return name.Length <= MaxFound && Ascii.ToUtf16(name, characters, out var count) == OperationStatus.Done
            && _destinations.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(characters[..count], out var destination)
            ? destination.Name
            : null;
    }

    /// <summary>
    /// Offers a delivery to the subscribers of its destination; never waits for one. <see cref="IBroker.RoomAt"/> may already be called
    /// for it while this returns <see cref="DeliverOutcome.NoRoom"/> or <see cref="DeliverOutcome.NoSubscriber"/>: a broker that keeps
    /// the delivery stores it first where RoomAt finds it, and then offers it again.
    /// </summary>
    public DeliverOutcome Deliver(Delivery delivery)
    {
        ArgumentNullException.ThrowIfNull(delivery);
        if (!_destinations.TryGetValue(delivery.Message.Destination, out var destination))
            return DeliverOutcome.NoSubscriber;
        if (destination.IsTopic)
            _telemetry.Begin(delivery);
        var outcome = _step is null ? destination.Deliver(delivery) : _step.Deliver(delivery, destination);
        if (destination.IsTopic && outcome is DeliverOutcome.Taken or DeliverOutcome.Missed)
        {
            _telemetry.End(delivery);
            delivery.OnSettled();
        }
        return outcome;
    }

    /// <summary>
    /// Tells the subscribers of these destinations why, and ends their connections: they may have missed something, and nothing but the end
    /// of the connection says so in every protocol version.
    /// </summary>
    public void EndConnections(Func<string, bool> destinations, string why)
    {
        foreach (var (name, destination) in _destinations)
        {
            if (destinations(name))
                destination.EndConnections(why);
        }
    }

    /// <summary>
    /// Applies the broker's bounds from now on; the delivery step, if there is one, tells the broker when a refused message may be offered
    /// again.
    /// </summary>
    internal Subscriptions ServedBy(IBroker broker)
    {
        if (broker.Keeps)
            _step?.RoomAt = broker.RoomAt;
        UnsettledBudget = broker.UnsettledBudget;
        return this;
    }

    internal void Add(Subscription subscription)
    {
        while (!_destinations.GetOrAdd(subscription.Destination, Create).TryAdd(subscription))
        {
            // Abandoned between the look-up and the add: the thread that abandons it removes it, and the next look-up makes a new one.
        }
    }

    /// <summary>The subscription gets no more messages. The caller still closes it.</summary>
    internal void Remove(Subscription subscription)
    {
        if (_destinations.TryGetValue(subscription.Destination, out var destination) && destination.Remove(subscription))
            _destinations.TryRemove(KeyValuePair.Create(subscription.Destination, destination));
    }

    private Destination Create(string name) =>
        new(name, UnsettledBudget is null || DestinationName.IsTopic(name) ? null : new SharedReservation(UnsettledBudget));

    /// <summary>
    /// The present subscribers of one destination: a queue gives a message to one of them in turn, a topic gives each a copy.
    /// </summary>
    /// <param name="reservation">Of its subscribers together; null for a topic, or when nothing bounds what they are given.</param>
    internal sealed class Destination(string name, SharedReservation? reservation)
    {
        private readonly Lock _gate = new();

        // Linked, so that one leaves in constant time and the turn of the others stays: a client may leave with thousands.
        private readonly LinkedList<Subscription> _subscribers = new();
        private LinkedListNode<Subscription>? _last;
        private bool _abandoned;

        public string Name { get; } = name;

        public bool IsTopic { get; } = DestinationName.IsTopic(name);

        /// <summary>How many subscribe now.</summary>
        public int Count
        {
            get
            {
                lock (_gate)
                    return _subscribers.Count;
            }
        }

        /// <summary>How many copies of a message are delivered now.</summary>
        public int Copies => IsTopic ? Count : 1;

        /// <summary>False: the last subscriber left meanwhile and the destination is no longer looked up.</summary>
        public bool TryAdd(Subscription subscription)
        {
            lock (_gate)
            {
                if (_abandoned)
                    return false;
                subscription.CountIn(reservation);
                subscription.Place = _subscribers.AddLast(subscription);
                return true;
            }
        }

        /// <summary>True: it was the last one, and the destination is abandoned.</summary>
        public bool Remove(Subscription subscription)
        {
            lock (_gate)
            {
                var place = subscription.Place!;
                if (_last == place)
                    _last = place.Previous;
                _subscribers.Remove(place);
                _abandoned = _subscribers.Count == 0;
                return _abandoned;
            }
        }

        public DeliverOutcome Deliver(Delivery delivery)
        {
            lock (_gate)
            {
                // The first is about to come, or the last has left.
                if (_subscribers.Count == 0)
                    return DeliverOutcome.NoSubscriber;
                return IsTopic ? DeliverToAll(delivery) : DeliverToNext(delivery);
            }
        }

        public void EndConnections(string why)
        {
            Subscription[] subscribers;
            lock (_gate)
                subscribers = [.. _subscribers];
            Array.ForEach(subscribers, subscriber => subscriber.EndConnection(why));
        }

        private DeliverOutcome DeliverToNext(Delivery delivery)
        {
            for (var i = 0; i < _subscribers.Count; i++)
            {
                _last = _last?.Next ?? _subscribers.First!;
                if (_last.Value.TryTake(delivery))
                    return DeliverOutcome.Taken;
            }
            return DeliverOutcome.NoRoom;
        }

        private DeliverOutcome DeliverToAll(Delivery delivery)
        {
            var missed = 0;
            if (_subscribers.Count > 1)
                delivery.Tails ??= new byte[Subscription.Versions][];
            for (var place = _subscribers.First; place is not null; place = place.Next)
            {
                if (!place.Value.TryTakeCopy(delivery))
                    missed++;
            }
            delivery.WithoutRoom = missed;
            return missed == 0 ? DeliverOutcome.Taken : DeliverOutcome.Missed;
        }
    }
}

/// <summary>
/// The <c>message-id</c> header of a MESSAGE, and its <c>ack</c> header: <c>CONNECTION-SUBSCRIPTION-NUMBER</c>, with subscriptions and
/// their messages counted from 1. Unique for each frame over all nodes, so that a session can tell an id that it never issued, such as one
/// of an earlier connection, from one that is settled, without keeping the settled ones.
/// </summary>
internal static class MessageId
{
    /// <summary>Of all ids of one subscription; the number follows.</summary>
    public static string FormatPrefix(string connection, int subscription) => $"{connection}-{subscription}-";

    /// <summary>False: no message of the connection has such an id.</summary>
    public static bool TryRead(string connection, ReadOnlySpan<byte> id, out int subscription, out long number)
    {
        subscription = 0;
        number = 0;
        if (id.Length <= connection.Length || id[connection.Length] != '-' || !Ascii.Equals(id[..connection.Length], connection))
            return false;
        var counts = id[(connection.Length + 1)..];
        return Utf8Parser.TryParse(counts, out subscription, out var digits) && StartsCounted(counts)
            && digits < counts.Length && counts[digits] == '-' && StartsCounted(counts[(digits + 1)..])
            && Utf8Parser.TryParse(counts[(digits + 1)..], out number, out var more) && digits + 1 + more == counts.Length;
    }

    // No sign, and no zero in front.
    private static bool StartsCounted(ReadOnlySpan<byte> digits) => !digits.IsEmpty && digits[0] is >= (byte)'1' and <= (byte)'9';
}
