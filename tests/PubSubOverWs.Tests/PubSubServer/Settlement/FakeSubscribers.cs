using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// Subscribers as the relay has them, as far as a broker can see: so much room at each destination with a subscriber.
/// </summary>
internal sealed class FakeSubscribers
{
    private readonly Dictionary<string, int> _room = [];

    /// <summary>The deliveries that they took, in order.</summary>
    public List<Delivery> Took { get; } = [];

    public IEnumerable<string> TookIds => Took.Select(delivery => delivery.Message.Id);

    /// <summary>Runs within each offer, before it is answered.</summary>
    public Action<Delivery> OnOffer { get; set; } = _ => { };

    public void Subscribe(string destination, int room = int.MaxValue) => _room[destination] = room;

    public void Leave(string destination) => _room.Remove(destination);

    /// <summary>To a subscriber that takes anything.</summary>
    public void Hand(Delivery delivery)
    {
        Subscribe(delivery.Message.Destination);
        Deliver(delivery);
    }

    public DeliverOutcome Deliver(Delivery delivery)
    {
        OnOffer(delivery);
        if (!_room.TryGetValue(delivery.Message.Destination, out var room))
            return DeliverOutcome.NoSubscriber;
        if (room == 0)
            return DeliverOutcome.NoRoom;
        _room[delivery.Message.Destination] = room - 1;
        delivery.Deliveries++;
        Took.Add(delivery);
        delivery.OnTakenToFlush();
        return DeliverOutcome.Taken;
    }
}
