using PubSubOverWs.PubSubServer;
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

    private Task<CrashingServer> StartAsync(int held = 5_000) => CrashingServer.StartAsync(queues, new QueueBrokerOptions
    {
        Name = $"poison-{Interlocked.Increment(ref _queues)}",
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
}
