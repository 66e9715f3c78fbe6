using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class DispatcherTests : IDisposable
{
    private readonly FakeTime _time = new();
    private readonly FakeSubscribers _subscribers = new();
    private readonly FakeSettlement _settlement = new();
    private readonly FakeWays _ways = new();
    private readonly RelayMeter _relayMeter = new();
    private readonly Leases _leases;
    private readonly Dispatcher _dispatcher;

    public DispatcherTests()
    {
        _leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 100);
        // Two of one destination.
        _dispatcher = Create(new QueueBrokerOptions { HeldMessages = 4 });
    }

    public void Dispose() => _dispatcher.Dispose();

    [Fact]
    public void With_settle_auto_receive_a_message_is_deleted_once_taken_and_lost_if_the_connection_breaks()
    {
        using var dispatcher = Create(new QueueBrokerOptions { Settle = { Auto = SettleAuto.Receive } });
        _subscribers.Subscribe("/queue/a");
        dispatcher.Accept([Sample.Received(Sample.Message("m"))]);
        Assert.Equal(["delete m"], _settlement.Decided);
        _subscribers.Took[0].OnGivenBack(GiveBackReason.Closed);
        dispatcher.OfferPending();
        Assert.Single(_subscribers.Took);
        Assert.Equal(1, _relayMeter.Drops["closed"]);
    }

    [Fact]
    public void Held_messages_go_out_in_order_as_far_as_there_is_room()
    {
        Accept(Sample.Received(Sample.Message("1")), Sample.Received(Sample.Message("2")));
        _subscribers.Subscribe("/queue/a", room: 1);
        RoomAt("/queue/a");
        Assert.Equal(["1"], _subscribers.TookIds);
        _subscribers.Subscribe("/queue/a", room: 1);
        Accept(Sample.Received(Sample.Message("3")));
        Assert.Equal(["1", "2"], _subscribers.TookIds);
        _subscribers.Subscribe("/queue/a");
        RoomAt("/queue/a");
        Assert.Equal(["1", "2", "3"], _subscribers.TookIds);
    }

    [Fact]
    public void A_subscriber_that_comes_while_a_message_is_about_to_be_held_is_not_overlooked()
    {
        _subscribers.OnOffer = _ =>
        {
            _subscribers.OnOffer = _ => { };
            // The offer has been refused already when the subscriber tells of its room, and nothing is held yet.
            _subscribers.Leave("/queue/a");
            _dispatcher.RoomAt("/queue/a");
        };
        _dispatcher.Accept([Sample.Received(Sample.Message("m"))]);
        _subscribers.Subscribe("/queue/a");
        _dispatcher.OfferPending();
        Assert.Equal(["m"], _subscribers.TookIds);
    }

    [Theory]
    [InlineData("/topic/a")]
    [InlineData("/raw/c1")]
    public void A_message_of_a_topic_or_for_a_raw_client_without_a_subscriber_is_deleted_and_counted(string destination)
    {
        Accept(Sample.Received(Sample.Message("m", destination)));
        Assert.Equal(["delete m"], _settlement.Decided);
        Assert.Equal(1, NoSubscriber());
    }

    [Fact]
    public void A_topic_message_that_has_to_wait_is_held_until_all_subscribers_have_room()
    {
        _subscribers.Subscribe("/topic/a", room: 0);
        Accept(Sample.Received(Sample.Message("m", "/topic/a")));
        Assert.Empty(_settlement.Decided);
        _subscribers.Subscribe("/topic/a");
        RoomAt("/topic/a");
        Assert.Empty(_subscribers.TookIds);
        _dispatcher.RoomEverywhere();
        _dispatcher.OfferPending();
        Assert.Equal(["m"], _subscribers.TookIds);
    }

    [Fact]
    public void A_message_that_cannot_be_held_is_parked()
    {
        Accept(Sample.Received(Sample.Message("1")), Sample.Received(Sample.Message("2")), Sample.Received(Sample.Message("3")));
        Assert.Equal(["park 3", "delete 3"], _settlement.Decided);
    }

    [Fact]
    public void A_message_for_a_raw_client_that_cannot_be_held_is_sent_again_with_a_delay()
    {
        using var dispatcher = Create(new QueueBrokerOptions { HeldMessages = 0 });
        _subscribers.Subscribe("/raw/c1", room: 0);
        dispatcher.Accept([Sample.Received(Sample.Message("m", "/raw/c1"))]);
        Assert.StartsWith("send again m ", _settlement.Decided[0], StringComparison.Ordinal);
        Assert.InRange(int.Parse(_settlement.Decided[0]["send again m ".Length..]), 10, 20);
    }

    [Fact]
    public void A_message_that_the_dead_letter_queue_had_refused_is_sent_there_again_and_not_delivered()
    {
        using var dispatcher = Create(new QueueBrokerOptions { MaxDeliveries = 3 });
        _subscribers.Subscribe("/queue/a");
        var sentBack = EnvelopeJson.Wrap(
            null, [new Outgoing(null, EnvelopeJson.WriteMessages([Sample.Message("poison")], deliveries: 3))]);
        dispatcher.Accept([new ReceivedMessage("sqs-poison", "poison", sentBack, 1)]);
        Assert.Empty(_subscribers.Took);
        Assert.Equal(["dead-letter poison", "delete poison"], _settlement.Decided);
    }

    [Fact]
    public void A_nacked_message_goes_to_the_next_after_100_ms_and_says_that_it_is_redelivered()
    {
        _subscribers.Subscribe("/queue/a");
        Accept(Sample.Received(Sample.Message("m")));
        _subscribers.Took[0].OnGivenBack(GiveBackReason.Nack);
        Advance(TimeSpan.FromMilliseconds(99));
        Assert.Single(_subscribers.Took);
        Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["m", "m"], _subscribers.TookIds);
        Assert.True(_subscribers.Took[1].Redelivered);
        _subscribers.Took[1].OnGivenBack(GiveBackReason.Nack);
        Advance(TimeSpan.FromMilliseconds(199));
        Assert.Equal(2, _subscribers.Took.Count);
        Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(3, _subscribers.Took.Count);
    }

    [Fact]
    public void Deliveries_are_remembered_while_a_message_is_away_in_the_queue()
    {
        using var dispatcher = Create(new QueueBrokerOptions { MaxDeliveries = 2 });
        _subscribers.Subscribe("/queue/a");
        dispatcher.Accept([Sample.Received(Sample.Message("poison"))]);
        _subscribers.Leave("/queue/a");
        _subscribers.Took[0].OnGivenBack(GiveBackReason.Closed);
        dispatcher.OfferPending();
        dispatcher.Lost(_leases.All()[0]);
        Assert.Empty(_settlement.Decided);

        _subscribers.Subscribe("/queue/a");
        dispatcher.Accept([Sample.Received(receives: 2, Sample.Message("poison"))]);
        Assert.True(_subscribers.Took[1].Redelivered);
        _subscribers.Took[1].OnGivenBack(GiveBackReason.Closed);
        Assert.Equal(["dead-letter poison", "delete poison"], _settlement.Decided);
    }

    [Fact]
    public void Deliveries_by_another_node_count_here_too()
    {
        using var dispatcher = Create(new QueueBrokerOptions { MaxDeliveries = 3 });
        _subscribers.Subscribe("/queue/a");
        var sentOn = EnvelopeJson.Wrap(
            null, [new Outgoing(null, EnvelopeJson.WriteMessages([Sample.Message("poison")], deliveries: 2))]);
        dispatcher.Accept([new ReceivedMessage("sqs-poison", "poison", sentOn, 1)]);
        Assert.True(_subscribers.Took[0].Redelivered);
        _subscribers.Took[0].OnGivenBack(GiveBackReason.Closed);
        Assert.Equal(["dead-letter poison", "delete poison"], _settlement.Decided);
    }

    [Fact]
    public void Unsettled_messages_of_a_partly_settled_envelope_are_sent_again_and_the_old_one_is_deleted()
    {
        _subscribers.Subscribe("/queue/here");
        Accept(Sample.Received(Sample.Message("1", "/queue/gone"), Sample.Message("2", "/queue/here"), Sample.Message("3", "/queue/gone")));
        Assert.Equal((3L, 12L), _leases.Unsettled);
        _subscribers.Took[0].OnSettled();
        Assert.Equal(["send again 1 3 0", "delete 1"], _settlement.Decided);
        _subscribers.Subscribe("/queue/gone");
        RoomAt("/queue/gone");
        Assert.Equal(["2"], _subscribers.TookIds);
    }

    [Fact]
    public void A_message_of_an_envelope_that_cannot_be_held_is_parked_by_itself()
    {
        _subscribers.Subscribe("/queue/here");
        Accept(Sample.Received(Sample.Message("x", "/queue/gone")), Sample.Received(Sample.Message("y", "/queue/gone")));
        Accept(Sample.Received(Sample.Message("1", "/queue/gone"), Sample.Message("2", "/queue/here")));
        Assert.Equal(["park 1"], _settlement.Decided);
        _subscribers.Took[0].OnSettled();
        Assert.Equal(["park 1", "delete 1"], _settlement.Decided);
    }

    [Fact]
    public void A_lost_lease_is_still_deleted_when_a_subscriber_settles_it()
    {
        _subscribers.Subscribe("/queue/a");
        Accept(Sample.Received(Sample.Message("m")));
        _dispatcher.Lost(_leases.All()[0]);
        _subscribers.Took[0].OnSettled();
        Assert.Equal(["delete m"], _settlement.Decided);
    }

    [Fact]
    public void At_the_end_all_unsettled_messages_are_released_at_once_and_so_are_later_ones()
    {
        _subscribers.Subscribe("/queue/a", room: 1);
        Accept(Sample.Received(Sample.Message("out")), Sample.Received(Sample.Message("held")));
        _dispatcher.ReleaseAll();
        _subscribers.Subscribe("/queue/a");
        _subscribers.Took[0].OnGivenBack(GiveBackReason.Closed);
        Accept(Sample.Received(Sample.Message("late")));
        RoomAt("/queue/a");
        Assert.Equal(["release out 0", "release held 0", "release late 0"], _settlement.Decided);
        Assert.Single(_subscribers.Took);
    }

    [Fact]
    public void A_message_is_parked_if_its_destination_is_full_of_messages_that_wait_after_a_nack()
    {
        _subscribers.Subscribe("/queue/a");
        Accept([.. Enumerable.Range(1, 3).Select(i => Sample.Received(Sample.Message($"{i}")))]);
        foreach (var delivery in _subscribers.Took.ToArray())
            delivery.OnGivenBack(GiveBackReason.Nack);
        Assert.Equal(["park 3", "delete 3"], _settlement.Decided);
        Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal(["1", "2", "3", "1", "2"], _subscribers.TookIds);
    }

    [Fact]
    public async Task A_message_that_belongs_to_another_node_is_forwarded_and_deleted_once_it_is_there()
    {
        await using var way = _ways.WayTo("/queue/a");
        _subscribers.Subscribe("/queue/a");
        Accept(Sample.Received(Sample.Message("m")));
        Assert.Empty(_subscribers.Took);
        Assert.Equal(["forward m", "delete m"], _settlement.Decided);
    }

    [Fact]
    public async Task A_waiting_message_is_forwarded_when_another_node_announces_a_subscriber()
    {
        Accept(Sample.Received(Sample.Message("m")));
        Assert.Empty(_settlement.Decided);
        await using var way = _ways.WayTo("/queue/a");
        RoomAt("/queue/a");
        Assert.Equal(["forward m", "delete m"], _settlement.Decided);
        Assert.Equal((0L, 0L), _leases.Unsettled);
    }

    [Fact]
    public async Task A_message_that_belongs_to_another_node_does_not_wait_behind_messages_held_here()
    {
        _subscribers.Subscribe("/topic/t", room: 0);
        Accept(Sample.Received(Sample.Message("slow", "/topic/t")));
        await using var way = _ways.WayTo("/topic/t");
        Accept(Sample.Received(Sample.Message("mixed", "/topic/t"), Sample.Message("other", "/queue/a")));
        Assert.Equal("forward mixed", _settlement.Decided[0]);
    }

    [Fact]
    public void A_message_given_back_after_the_queue_has_it_again_is_not_dead_lettered()
    {
        using var dispatcher = Create(new QueueBrokerOptions { MaxDeliveries = 1 });
        _subscribers.Subscribe("/queue/a");
        dispatcher.Accept([Sample.Received(Sample.Message("m"))]);
        dispatcher.ReleaseAll();
        _subscribers.Took[0].OnGivenBack(GiveBackReason.Nack);
        Assert.Equal(["release m 0"], _settlement.Decided);
    }

    [Fact]
    public async Task A_message_that_could_not_be_forwarded_is_offered_again()
    {
        _settlement.ForwardFails = true;
        await using (_ways.WayTo("/queue/a"))
            _dispatcher.Accept([Sample.Received(Sample.Message("m"))]);
        _ways.NoWayTo("/queue/a");
        _subscribers.Subscribe("/queue/a");
        _dispatcher.OfferPending();
        Assert.Equal(["m"], _subscribers.TookIds);
        Assert.False(_subscribers.Took[0].Redelivered);
    }

    private Dispatcher Create(QueueBrokerOptions options) => new(
        Sample.Flow(Sample.Server(_time, options, _relayMeter), _leases), _settlement, _subscribers.Deliver, _ways.Elsewhere);

    private void Accept(params ReceivedMessage[] received)
    {
        _dispatcher.Accept(received);
        _dispatcher.OfferPending();
    }

    private void RoomAt(string destination)
    {
        _dispatcher.RoomAt(destination);
        _dispatcher.OfferPending();
    }

    private void Advance(TimeSpan by)
    {
        _time.Advance(by);
        _dispatcher.OfferPending();
    }

    private long NoSubscriber() => _relayMeter.Drops["no-subscriber"];
}
