using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>The pubsub server behind the slow step that the direct server has as well.</summary>
public sealed class OverloadTests
{
    [Fact]
    public async Task A_message_without_a_place_in_the_delivery_step_is_held_and_delivered_when_there_is_one()
    {
        Dispatcher? dispatcher = null;
        await using var server = new RelayHarness(
            harness => new DispatchingBroker(dispatcher = Create(harness)),
            options => options.Delivery = new DeliveryOptions { Cost = TimeSpan.FromMilliseconds(10) });
        using var disposed = dispatcher;
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "1");

        dispatcher!.Accept(
            [Sample.Received(Sample.Message("1")), Sample.Received(Sample.Message("2")), Sample.Received(Sample.Message("3"))]);
        for (var i = 1; i <= 3; i++)
        {
            Assert.Equal($"{i}", (await client.ReceiveAsync(StompCommand.Message)).Header("id"));
            await client.ExpectNothingAsync();
            server.Time.Advance(TimeSpan.FromMilliseconds(10));
            dispatcher.OfferPending();
        }
        Assert.All(server.Meter.Drops.Values, count => Assert.Equal(0, count));
    }

    private static Dispatcher Create(RelayHarness harness) => new(
        Sample.Flow(
            Sample.Server(harness.Time, relayMeter: harness.Meter),
            new Leases(harness.Time, TimeSpan.FromSeconds(30), maxInFlight: 100)),
        new FakeSettlement(), harness.Subscriptions.Deliver);

    private sealed class DispatchingBroker(Dispatcher dispatcher) : IBroker
    {
        public string Name => "pubsub";

        public QueueStats? Queue => null;

        public bool Keeps => true;

        public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages) => new(PublishOutcome.Taken);

        public void RoomAt(string destination) => dispatcher.RoomAt(destination);
    }
}
