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

    [Fact]
    public async Task A_subscriber_of_a_topic_gets_all_of_it_beside_one_that_acknowledges_nothing()
    {
        await using var server = new DispatchingServer();
        var (silent, reader) = (await server.Relay.ConnectAsync(), await server.Relay.ConnectAsync());
        await silent.SubscribeAsync("/topic/t", "1", "ack:client");
        await reader.SubscribeAsync("/topic/t", "1");
        for (var i = 0; i < 1000; i++)
            server.Queue.Send(Sample.Message($"{i}", "/topic/t", $"{i}"));

        await server.PumpUntilAsync(ReadAsync(reader, 1000));
        Assert.Equal(0, server.Queue.Count);
    }

    [Fact]
    public async Task A_client_that_takes_fifty_thousand_messages_and_acknowledges_none_does_not_stop_another_queue()
    {
        await using var server = new DispatchingServer(options => options.MaxPrefetch = 100_000);
        var (silent, reader) = (await server.Relay.ConnectAsync(), await server.Relay.ConnectAsync());
        await silent.SubscribeAsync("/queue/a", "1", "ack:client", "prefetch-count:100000");
        await reader.SubscribeAsync("/queue/b", "1");
        for (var i = 0; i < 50_033; i++)
            server.Queue.Send(Sample.Message($"a{i}", "/queue/a", "x"));
        var swallowing = SwallowAsync(silent);
        // Until it has been given all that it may have: what found no room comes again within a minute each time.
        for (var second = 0; second < 300; second++)
        {
            server.Pump();
            await server.Relay.RestAsync();
            server.Relay.Advance(TimeSpan.FromSeconds(1));
        }
        for (var i = 0; i < 100; i++)
            server.Queue.Send(Sample.Message($"{i}", "/queue/b", $"{i}"));

        await server.PumpUntilAsync(ReadAsync(reader, 100));
        await server.Relay.DisposeAsync();
        await swallowing;
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

    // In any order, as from SQS.
    private static async Task ReadAsync(StompTestClient client, int count)
    {
        var left = Enumerable.Range(0, count).Select(i => $"{i}").ToHashSet();
        while (left.Count > 0)
            left.Remove((await client.ReceiveAsync(StompCommand.Message)).Body);
    }

    private static async Task SwallowAsync(StompTestClient client)
    {
        try
        {
            while (true)
                await client.Socket.ReceiveAsync(new byte[64 * 1024], CancellationToken.None);
        }
        catch (System.Net.WebSockets.WebSocketException)
        {
        }
    }
}
