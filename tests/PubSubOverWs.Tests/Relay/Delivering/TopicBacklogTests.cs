using System.Globalization;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Relay.Delivering;

/// <summary>Topic subscriptions without room, each behind by itself.</summary>
public sealed class TopicBacklogTests
{
    private const string Topic = "/topic/a";

    [Fact]
    public async Task Messages_in_the_backlog_of_a_subscription_come_in_order_and_before_newer_ones()
    {
        await using var server = RelayHarness.Direct(buffer: 1);
        var client = await SubscriberAsync(server, prefetch: 2);
        await PublishAsync(server, Enumerable.Range(0, 6), PublishOutcome.Taken);
        Assert.NotEqual(0, server.TopicBacklogs.Taken);

        for (var i = 0; i < 10; i++)
        {
            var message = await client.ReceiveMessageAsync($"{i}");
            Assert.Null(message.Header("missed"));
            if (i < 4)
                await PublishAsync(server, [6 + i], PublishOutcome.Taken);
            await AckAsync(client, message);
        }
        await client.ExpectNothingAsync();
        Assert.Equal((0L, 0L), (server.TopicBacklogs.Taken, server.Meter.Drops["shed"]));
    }

    [Theory]
    [InlineData(2, 1 << 20)]
    [InlineData(1000, 2 * (256 + 10 + 16))]
    public async Task A_subscription_beyond_its_bound_misses_messages_and_the_next_one_says_how_many(int messages, int bytes)
    {
        await using var server = RelayHarness.Direct(
            options => (options.TopicBacklog, options.TopicBacklogBytes) = (messages, bytes), buffer: 1);
        var client = await SubscriberAsync(server, prefetch: 1);
        await PublishAsync(server, Enumerable.Range(0, 3), PublishOutcome.Taken);
        await PublishAsync(server, Enumerable.Range(3, 4), PublishOutcome.Shed);
        Assert.Equal(4, server.Meter.Drops["shed"]);

        // Once there is room again, the next that is published waits behind the gap.
        await AckAsync(client, await client.ReceiveMessageAsync("0"));
        var second = await client.ReceiveMessageAsync("1");
        await PublishAsync(server, [7], PublishOutcome.Taken);
        await PublishAsync(server, [8], PublishOutcome.Shed);
        Assert.Null(second.Header("missed"));
        await AckAsync(client, second);
        var third = await client.ReceiveMessageAsync("2");
        Assert.Null(third.Header("missed"));
        await AckAsync(client, third);
        var afterTheGap = await client.ReceiveMessageAsync("7");
        Assert.Equal("4", afterTheGap.Header("missed"));
        await AckAsync(client, afterTheGap);
        await client.ExpectNothingAsync();
        await PublishAsync(server, [9], PublishOutcome.Taken);
        Assert.Equal("1", (await client.ReceiveMessageAsync("9")).Header("missed"));
    }

    [Fact]
    public async Task A_server_that_keeps_nothing_drops_a_copy_at_once_and_tells_its_subscription()
    {
        await using var server = RelayHarness.Direct();
        var client = await SubscriberAsync(server, prefetch: 1);
        var other = await server.SubscriberAsync(Topic);
        await PublishAsync(server, [0], PublishOutcome.Taken);
        await PublishAsync(server, [1, 2], PublishOutcome.Shed);
        for (var i = 0; i < 3; i++)
            Assert.Null((await other.ReceiveMessageAsync($"{i}")).Header("missed"));

        await client.AckAsync(await client.ReceiveMessageAsync("0"));
        await PublishAsync(server, [3], PublishOutcome.Taken);
        Assert.Equal("2", (await client.ReceiveMessageAsync("3")).Header("missed"));
        Assert.Equal((2L, 0L), (server.Meter.Drops["shed"], server.TopicBacklogs.Taken));
    }

    [Fact]
    public async Task With_disconnect_a_client_that_misses_a_message_gets_an_error_that_says_so()
    {
        await using var server = RelayHarness.Direct(
            options => (options.TopicBacklog, options.SlowConsumer) = (1, SlowConsumer.Disconnect), buffer: 1);
        var client = await SubscriberAsync(server, prefetch: 1);
        await PublishAsync(server, [0, 1], PublishOutcome.Taken);
        await PublishAsync(server, [2, 3], PublishOutcome.Shed);

        await client.ReceiveMessageAsync("0");
        Assert.StartsWith(
            "You missed a message of /topic/a: ", (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Equal((2L, 1L, 1L), (server.Meter.Drops["shed"], server.Meter.Drops["closed"], server.Meter.Connections.Slow));
    }

    [Fact]
    public async Task A_subscriber_that_leaves_leaves_no_backlog_and_its_waiting_messages_are_counted()
    {
        await using var server = RelayHarness.Direct(buffer: 1);
        var client = await SubscriberAsync(server, prefetch: 1);
        await PublishAsync(server, Enumerable.Range(0, 4), PublishOutcome.Taken);
        await client.ReceiveMessageAsync("0");

        await client.UnsubscribeAsync("1");
        await client.ExpectNothingAsync();
        Assert.Equal((3L, 0L), (server.Meter.Drops["closed"], server.TopicBacklogs.Taken));
    }

    [Fact]
    public async Task No_connection_has_more_of_the_total_than_is_left_for_the_others()
    {
        await using var server = RelayHarness.Direct(
            options => (options.TopicBacklogBytesTotal, options.MaxMessageBytes) = (1 << 20, 100_000), buffer: 1);
        List<StompTestClient> silent = [];
        for (var i = 0; i < 3; i++)
            silent.Add(await SubscriberAsync(server, prefetch: 1, $"/topic/{i}"));
        var large = new string('x', 60_000);
        for (var i = 0; i < 3; i++)
        {
            for (var message = 0; message < 20; message++)
                await server.Broker.PublishAsync([FakeDelivery.To($"/topic/{i}", large).Message]);
        }
        Assert.InRange(server.TopicBacklogs.Taken, 600_000, (1 << 20) - 60_000);
        await silent[0].LeaveAsync();
        Assert.InRange(server.TopicBacklogs.Taken, 1, 1 << 19);
    }

    [Fact]
    public async Task A_publisher_cannot_pretend_that_something_was_missed()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.SubscriberAsync(Topic);
        await client.PublishAsync(Topic, "body", "missed:7");
        Assert.Null((await client.ReceiveMessageAsync("body")).Header("missed"));
    }

    // Room comes, from acknowledgements, while messages do: nothing is overtaken, and what did not come was told.
    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public async Task While_a_publisher_does_not_pause_each_message_comes_in_order_or_is_counted_as_missed(int backlog)
    {
        const int Messages = 3_000;
        await using var server = RelayHarness.Direct(options => options.TopicBacklog = backlog, buffer: 1);
        var client = await SubscriberAsync(server, prefetch: 2);
        var reading = ReadToEndAsync(client, $"{Messages - 1}");
        var publishing = Task.Run(() =>
        {
            for (var i = 0; i < Messages - 1; i++)
                server.Subscriptions.Deliver(FakeDelivery.To(Topic, $"{i}"));
        });
        await publishing;
        // The last is not missed: it comes when what waits has gone.
        await Waiting.UntilAsync(() => server.TopicBacklogs.Taken == 0);
        server.Subscriptions.Deliver(FakeDelivery.To(Topic, $"{Messages - 1}"));
        var (came, missed) = await reading;
        Assert.Equal(Messages, came + missed);
    }

    private static async Task<(int Came, int Missed)> ReadToEndAsync(StompTestClient client, string last)
    {
        var (came, missed) = (0, 0);
        while (true)
        {
            var message = await client.ReceiveAsync(StompCommand.Message);
            missed += int.Parse(message.Header("missed") ?? "0", CultureInfo.InvariantCulture);
            Assert.Equal($"{came + missed}", message.Body);
            came++;
            if (message.Body == last)
                return (came, missed);
            await AckAsync(client, message);
        }
    }

    private static Task<StompTestClient> SubscriberAsync(RelayHarness server, int prefetch, string destination = Topic) =>
        server.SubscriberAsync(destination, "ack:client", $"prefetch-count:{prefetch}");

    // Without a receipt, which may come before or after the message that it makes room for.
    private static Task AckAsync(StompTestClient client, PlainFrame message) => client.SendAsync($"ACK\nid:{message.Header("ack")}\n\n\0");

    private static async Task PublishAsync(RelayHarness server, IEnumerable<int> bodies, PublishOutcome expected)
    {
        foreach (var body in bodies)
            Assert.Equal(expected, await server.Broker.PublishAsync([FakeDelivery.To(Topic, $"{body}").Message]));
    }
}
