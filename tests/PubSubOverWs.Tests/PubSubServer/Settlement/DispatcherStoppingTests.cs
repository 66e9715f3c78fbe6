using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class DispatcherStoppingTests : IDisposable
{
    private readonly FakeSubscribers _subscribers = new();
    private readonly FakeSettlement _settlement = new();
    private readonly Dispatcher _dispatcher;

    public DispatcherStoppingTests()
    {
        var time = new FakeTime();
        var leases = new Leases(time, TimeSpan.FromSeconds(30), maxInFlight: 100);
        _dispatcher = new Dispatcher(Sample.Flow(Sample.Server(time), leases), _settlement, _subscribers.Deliver);
    }

    public void Dispose() => _dispatcher.Dispose();

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
