using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>What it keeps, what it need not deliver again, and what it does when the server stops.</summary>
public sealed class DispatcherMemoryTests : IDisposable
{
    private readonly FakeTime _time = new();
    private readonly FakeSubscribers _subscribers = new();
    private readonly FakeSettlement _settlement = new();
    private readonly QueueContext _server;
    private readonly Leases _leases;
    private readonly Dispatcher _dispatcher;

    public DispatcherMemoryTests()
    {
        _server = Sample.Server(_time) with { InFlight = new InFlightBudget(InFlightBudget.PerReceive) };
        _leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 100, _server.InFlight);
        _dispatcher = new Dispatcher(Sample.Flow(_server, _leases), _settlement, _subscribers.Deliver);
    }

    public void Dispose() => _dispatcher.Dispose();

    [Fact]
    public async Task A_message_for_which_there_is_no_memory_goes_back_to_the_queue_for_10_to_20_s()
    {
        _subscribers.Subscribe("/queue/q");
        using (await _leases.RoomAsync(CancellationToken.None))
            _dispatcher.Accept([Many("1", 18_000), Many("2", 18_000), Many("3", 18_000), Sample.Received(Sample.Message("4"))]);
        Assert.Equal((3, 36_001L), (_leases.Count - 1, _leases.Unsettled.Messages));
        var released = Assert.Single(_settlement.Decided).Split(' ');
        Assert.Equal(["release", "3"], released[..2]);
        Assert.InRange(int.Parse(released[2], System.Globalization.CultureInfo.InvariantCulture), 10, 20);
    }

    [Fact]
    public void A_message_that_is_sent_again_because_the_rest_of_its_transaction_is_settled_is_not_held_as_well()
    {
        _dispatcher.Accept([Sample.Received(Sample.Message("1", "/topic/nobody"), Sample.Message("2", "/queue/nobody"))]);
        Assert.Equal(["send again 2 0", "delete 1"], _settlement.Decided);
        Assert.False(_dispatcher.RoomAt("/queue/nobody"));
        Assert.Equal(0, _server.Held.Taken);
    }

    [Fact]
    public void A_message_that_was_held_when_the_rest_was_settled_is_not_held_twice()
    {
        _subscribers.Subscribe("/queue/here");
        _dispatcher.Accept([Sample.Received(Sample.Message("0", "/queue/nobody"))]);
        _dispatcher.Accept([Sample.Received(Sample.Message("1", "/queue/here"), Sample.Message("2", "/queue/nobody"))]);
        _dispatcher.OfferPending();
        var before = _server.Held.Taken;
        _subscribers.Took[0].OnSettled();
        Assert.Equal(["send again 2 0", "delete 1"], _settlement.Decided);
        Assert.InRange(_server.Held.Taken, 1, before - 1);
    }

    [Fact]
    public void A_queue_that_is_no_longer_read_holds_none_of_the_shared_memory()
    {
        _subscribers.Subscribe("/queue/a");
        _dispatcher.Accept([Sample.Received(Sample.Message("nacked")), Sample.Received(Sample.Message("held", "/queue/b"))]);
        _subscribers.Took[0].OnGivenBack(GiveBackReason.Nack);
        Assert.NotEqual(0, _server.Held.Taken);
        _dispatcher.StopOffering();
        _dispatcher.ReleaseAll();
        _dispatcher.Dispose();
        Assert.Equal(0, _server.Held.Taken);
    }

    [Fact]
    public void A_topic_message_that_comes_again_is_not_delivered_to_the_same_subscribers_again()
    {
        _subscribers.Subscribe("/topic/t");
        var received = Sample.Received(Sample.Message("m", "/topic/t"), Sample.Message("n", "/topic/t"));
        _dispatcher.Accept([received]);
        _subscribers.Took.ForEach(delivery => delivery.OnSettled());
        // Its delete came too late.
        _dispatcher.Accept([received with { ReceiptHandle = "again" }]);
        Assert.Equal(["m", "n"], _subscribers.TookIds);
        Assert.Equal(["delete m", "delete again"], _settlement.Decided);
    }

    [Fact]
    public void A_copy_whose_transaction_was_lost_while_a_subscriber_had_another_message_of_it_is_not_delivered_again()
    {
        _subscribers.Subscribe("/topic/t");
        _subscribers.Subscribe("/queue/a");
        var received = Sample.Received(Sample.Message("news", "/topic/t"), Sample.Message("job", "/queue/a"));
        _dispatcher.Accept([received]);
        _subscribers.Took[0].OnSettled();
        _dispatcher.Lost(_leases.All()[0]);
        _dispatcher.Accept([received with { ReceiptHandle = "again" }]);
        Assert.Equal(["news", "job", "job"], _subscribers.TookIds);
    }

    [Fact]
    public void A_stopping_server_releases_messages_that_no_subscriber_has_and_offers_no_more()
    {
        _subscribers.Subscribe("/queue/a");
        Accept(Sample.Received(Sample.Message("with-one")), Sample.Received(Sample.Message("held", "/queue/b")));
        _dispatcher.StopOffering();
        Assert.Equal(["release held 0"], _settlement.Decided);
        Accept(Sample.Received(Sample.Message("late")));
        _subscribers.Subscribe("/queue/b");
        RoomAt("/queue/b");
        Assert.Equal(["with-one"], _subscribers.TookIds);
        Assert.Equal("release late 0", _settlement.Decided[^1]);
    }

    [Fact]
    public void A_stopping_server_deletes_settled_messages_and_releases_those_given_back()
    {
        _subscribers.Subscribe("/queue/a");
        Accept(Sample.Received(Sample.Message("1")), Sample.Received(Sample.Message("2")), Sample.Received(Sample.Message("3")));
        _dispatcher.StopOffering();
        _subscribers.Took[0].OnSettled();
        _subscribers.Took[1].OnGivenBack(GiveBackReason.Closed);
        _subscribers.Took[2].OnGivenBack(GiveBackReason.Nack);
        _dispatcher.OfferPending();
        Assert.Equal(["delete 1", "release 2 0", "release 3 0"], _settlement.Decided);
        _dispatcher.ReleaseAll();
        Assert.Equal(3, _settlement.Decided.Count);
        Assert.Equal(3, _subscribers.Took.Count);
    }

    [Fact]
    public void A_stopping_server_sends_unsettled_messages_of_a_partly_settled_envelope_again()
    {
        _subscribers.Subscribe("/queue/a");
        Accept(Sample.Received(Sample.Message("1"), Sample.Message("2")));
        _dispatcher.StopOffering();
        _subscribers.Took[0].OnSettled();
        _subscribers.Took[1].OnGivenBack(GiveBackReason.Closed);
        _dispatcher.OfferPending();
        Assert.Equal(["send again 2 0", "delete 1"], _settlement.Decided);
    }

    [Fact]
    public void A_stopping_server_leaves_an_invalid_envelope_to_the_dead_letter_queue()
    {
        Accept(Sample.NoEnvelope("strange"));
        _dispatcher.StopOffering();
        Assert.Equal(["dead-letter whole strange"], _settlement.Decided);
    }

    [Fact]
    public async Task A_message_without_a_place_in_the_delivery_step_is_held_and_delivered_when_there_is_one()
    {
        await using var server = new DispatchingServer(
            options => options.Delivery = new DeliveryOptions { Cost = TimeSpan.FromMilliseconds(10) });
        var client = await server.Relay.SubscriberAsync("/queue/a");
        for (var i = 1; i <= 3; i++)
            server.Queue.Send(Sample.Message($"{i}"));

        for (var i = 1; i <= 3; i++)
        {
            server.Pump();
            Assert.Equal($"{i}", (await client.ReceiveAsync(StompCommand.Message)).Header("id"));
            await client.ExpectNothingAsync();
            server.Relay.Time.Advance(TimeSpan.FromMilliseconds(10));
        }
        Assert.All(server.Relay.Meter.Drops.Values, count => Assert.Equal(0, count));
    }

    [Fact]
    public void Beyond_their_capacity_the_oldest_of_remembered_values_is_forgotten()
    {
        var values = new RecentValues<string, int>(capacity: 2);
        values.Remember("a", 1);
        values.Remember("b", 1);
        values.Remember("b", 2);
        values.Remember("c", 3);
        Assert.Equal((0, 2, 3), (values.Recall("a"), values.Recall("b"), values.Recall("c")));
    }

    [Fact]
    public void Deliveries_are_counted_by_id_and_destination_and_long_destinations_are_forgotten_by_their_bytes()
    {
        var counts = Sample.Server(new FakeTime()).Deliveries;
        counts.Remember(("a", "/queue/a"), 1);
        Assert.Equal((1, 0), (counts.Recall(("a", "/queue/a")), counts.Recall(("a", "/queue/b"))));
        var (first, second) = (("a", "/queue/" + new string('a', 5 << 20)), ("b", "/queue/" + new string('b', 5 << 20)));
        counts.Remember(first, 1);
        counts.Remember(second, 2);
        Assert.Equal((0, 2), (counts.Recall(first), counts.Recall(second)));
    }

    private static ReceivedMessage Many(string handle, int messages) =>
        new($"sqs-{handle}", handle, Sample.Envelope([.. Enumerable.Range(0, messages).Select(_ => Sample.Message("", "/queue/q", ""))]),
            1);

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
}
