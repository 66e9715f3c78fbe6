using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Messages of topics that the queue hands out again.</summary>
public sealed class DeliveredCopiesTests : IDisposable
{
    private readonly FakeTime _time = new();
    private readonly FakeSubscribers _subscribers = new();
    private readonly FakeSettlement _settlement = new();
    private readonly Leases _leases;
    private readonly Dispatcher _dispatcher;

    public DeliveredCopiesTests()
    {
        _leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 100);
        _dispatcher = new Dispatcher(Sample.Flow(Sample.Server(_time), _leases), _settlement, _subscribers.Deliver);
    }

    public void Dispose() => _dispatcher.Dispose();

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
    public void The_oldest_copies_are_forgotten()
    {
        var copies = new DeliveredCopies(capacity: 2);
        var messages = Enumerable.Range(0, 3).Select(i => NoOwner.Lease(Sample.Message($"{i}", "/topic/t")).Messages[0]).ToArray();
        foreach (var message in messages)
            copies.Add(message);
        Assert.Equal([false, true, true], messages.Select(copies.Has));
    }
}
