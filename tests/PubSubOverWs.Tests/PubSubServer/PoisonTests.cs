using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LocalSqs;
using PubSubOverWs.Tests.Relay;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>What counts as a delivery that failed, over a queue of LocalSqs: a dead letter is what its subscribers could not do.</summary>
public sealed class PoisonTests(LocalSqsHost queues) : IClassFixture<LocalSqsHost>, IAsyncLifetime
{
    private const int MaxDeliveries = 3;
    private const string Destination = "/queue/a";

    private static int _queues;

    private CrashingServer _server = null!;
    private int _looks;

    public async Task InitializeAsync() => _server = await StartAsync();

    public Task DisposeAsync() => _server.CrashAsync();

    [Fact]
    public async Task A_consumer_that_takes_one_of_50_and_says_DISCONNECT_ten_times_makes_no_dead_letters()
    {
        var left = await PublishAsync(50);
        for (var again = 0; again < 10; again++)
        {
            var consumer = await SubscribeAsync();
            var messages = await ReceiveAsync(consumer, left.Count);
            await consumer.AckAsync(messages[0]);
            left.Remove(messages[0].Body);
            await DisconnectAsync(consumer);
        }
        await TakeAllAsync(left);
        Assert.Equal(0, await DeadLettersAsync());
    }

    [Theory]
    [InlineData("client-individual")]
    [InlineData("client")]
    public async Task Of_a_consumer_that_crashes_on_a_message_that_message_alone_is_dead_lettered(string ack)
    {
        var left = await PublishAsync(20);
        for (var crash = 0; crash < MaxDeliveries; crash++)
        {
            var consumer = await SubscribeAsync(ack);
            // It has all of them when it comes to the one that it crashes on.
            foreach (var message in await ReceiveAsync(consumer, left.Count))
            {
                if (message.Body == "m5")
                    break;
                await consumer.AckAsync(message);
                left.Remove(message.Body);
            }
            consumer.ServerTransport.Dispose();
            await consumer.SessionEnded;
        }
        left.Remove("m5");
        await TakeAllAsync(left);
        Assert.Equal(1, await DeadLettersAsync());
    }

    [Fact]
    public async Task A_NACK_counts_for_the_message_that_it_names_and_not_for_those_that_come_back_with_it()
    {
        var left = await PublishAsync(3);
        var consumer = await SubscribeAsync("client");
        for (var refusal = 0; refusal < MaxDeliveries; refusal++)
        {
            PlainFrame message;
            do
                message = await consumer.ReceiveAsync(StompCommand.Message).WhileAsync(PassRest);
            while (message.Body != "m2");
            await consumer.SendAsync($"NACK\nid:{message.Header("ack")}\n\n\0");
        }
        await queues.UntilAsync($"{_server.QueueUrl}-dead", dead => dead.Total == 1);
        await DisconnectAsync(consumer);
        left.Remove("m2");
        await TakeAllAsync(left).WhileAsync(PassRest);
        Assert.Equal(1, await DeadLettersAsync());
    }

    [Fact]
    public async Task A_message_that_came_back_without_being_counted_is_marked_redelivered_even_after_it_was_parked()
    {
        await _server.CrashAsync();
        _server = await StartAsync(held: 0);
        await PublishAsync(2);
        var first = await SubscribeAsync();
        await ReceiveAsync(first, 2);
        await DisconnectAsync(first);
        await queues.UntilAsync($"{_server.QueueUrl}-parked", parked => parked is { Total: 2, InFlight: 0 });

        var second = await SubscribeAsync();
        foreach (var message in await ReceiveAsync(second, 2).WhileAsync(PassRest))
            Assert.Equal("true", message.Header("redelivered"));
    }

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

    private Task<CrashingServer> StartAsync(int held = 5_000) => CrashingServer.StartAsync(queues, new SqsBrokerOptions
    {
        Queue = $"poison-{Interlocked.Increment(ref _queues)}",
        PollLoops = 1,
        MaxDeliveries = MaxDeliveries,
        HeldMessages = held,
        Settle = { Linger = TimeSpan.Zero },
    });

    // The bodies: what is given back comes again in no order that is promised.
    private async Task<HashSet<string>> PublishAsync(int count)
    {
        HashSet<string> bodies = [.. Enumerable.Range(0, count).Select(i => $"m{i}")];
        foreach (var body in bodies)
            await _server.Relay.Broker.PublishAsync([Sample.Message($"id-{body}", Destination, body)]).AsTask().Patiently();
        return bodies;
    }

    private async Task<StompTestClient> SubscribeAsync(string ack = "client-individual")
    {
        var client = await _server.Relay.ConnectAsync();
        await client.SendAsync($"SUBSCRIBE\ndestination:{Destination}\nid:1\nack:{ack}\n\n\0");
        return client;
    }

    // Without time: what a consumer leaves behind is offered to the next at once.
    private static async Task<IReadOnlyList<PlainFrame>> ReceiveAsync(StompTestClient consumer, int count)
    {
        var messages = new List<PlainFrame>();
        while (messages.Count < count)
            messages.Add(await consumer.ReceiveAsync(StompCommand.Message).Patiently());
        return messages;
    }

    private static async Task DisconnectAsync(StompTestClient consumer)
    {
        await consumer.SendAsync("DISCONNECT\nreceipt:bye\n\n\0");
        while ((await consumer.ReceiveAsync()).Command != StompCommand.Receipt)
        {
            // What was on its way.
        }
        await consumer.ReceiveCloseAsync();
        await consumer.SessionEnded;
    }

    // All that is left, and nothing else, acknowledged.
    private async Task TakeAllAsync(HashSet<string> left)
    {
        var consumer = await _server.Relay.ConnectAsync();
        await consumer.SendAsync($"SUBSCRIBE\ndestination:{Destination}\nid:all\nack:client-individual\nprefetch-count:1\n\n\0");
        while (left.Count > 0)
        {
            var message = await consumer.ReceiveAsync(StompCommand.Message).Patiently();
            Assert.True(left.Remove(message.Body), message.Body);
            await consumer.SendAsync($"ACK\nid:{message.Header("ack")}\n\n\0");
        }
        await EmptyAsync();
    }

    private Task EmptyAsync() => queues.UntilAsync(_server.QueueUrl, queue => queue.IsEmpty);

    private async Task<long> DeadLettersAsync() =>
        (await queues.Sqs.GetQueueAttributesAsync($"{_server.QueueUrl}-dead", CancellationToken.None)).Total;

    // Slowly: time must not run ahead of calls under way, or the queue hands out again what is held here.
    private void PassRest()
    {
        if (++_looks % 20_000 == 0)
            queues.Time.Advance(TimeSpan.FromSeconds(1));
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
