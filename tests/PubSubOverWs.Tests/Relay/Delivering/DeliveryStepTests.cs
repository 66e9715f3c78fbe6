using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

/// <summary>The slow step, in front of subscribers that have room for everything.</summary>
public sealed class DeliveryStepTests
{
    [Fact]
    public async Task A_message_without_a_place_is_shed_by_a_server_that_keeps_nothing_and_the_receipt_says_so()
    {
        await using var server = RelayHarness.Direct(Step(milliseconds: 10, atATime: 2));
        var (subscriber, publisher) = (await server.ConnectAsync(), await server.ConnectAsync());
        await subscriber.SubscribeAsync("/queue/a", "1");

        Assert.Equal(["taken", "taken", "shed"], await OutcomesAsync(publisher, "/queue/a", 3));
        server.Time.Advance(TimeSpan.FromMilliseconds(9));
        Assert.Equal(["shed"], await OutcomesAsync(publisher, "/queue/a", 1));
        server.Time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["taken", "taken", "shed"], await OutcomesAsync(publisher, "/queue/a", 3));
        Assert.Equal(3, server.Meter.Drops["shed"]);
    }

    [Fact]
    public async Task A_place_that_no_message_waited_for_is_taken_from_when_the_next_message_comes()
    {
        await using var server = RelayHarness.Direct(Step(milliseconds: 10, atATime: 1));
        var (subscriber, publisher) = (await server.ConnectAsync(), await server.ConnectAsync());
        await subscriber.SubscribeAsync("/queue/a", "1");

        Assert.Equal(["taken", "shed"], await OutcomesAsync(publisher, "/queue/a", 2));
        server.Time.Advance(TimeSpan.FromMilliseconds(15));
        Assert.Equal(["taken"], await OutcomesAsync(publisher, "/queue/a", 1));
        server.Time.Advance(TimeSpan.FromMilliseconds(9));
        Assert.Equal(["shed"], await OutcomesAsync(publisher, "/queue/a", 1));
    }

    [Fact]
    public async Task A_topics_message_takes_one_place_and_every_copy_that_is_shed_is_counted()
    {
        await using var server = RelayHarness.Direct(Step(milliseconds: 10, atATime: 1));
        var client = await server.ConnectAsync();
        for (var i = 0; i < 3; i++)
            await client.SubscribeAsync("/topic/a", $"{i}");

        await client.PublishAsync("/topic/a", "first");
        for (var i = 0; i < 3; i++)
            await client.ReceiveMessageAsync("first");
        await client.PublishAsync("/topic/a", "second", "receipt:r");

        Assert.Equal("shed", await client.ReceiveReceiptAsync("r"));
        Assert.Equal(3, server.Meter.Drops["shed"]);
    }

    [Fact]
    public async Task A_message_without_a_subscriber_takes_no_place()
    {
        await using var server = RelayHarness.Direct(Step(milliseconds: 10, atATime: 1));
        var (subscriber, publisher) = (await server.ConnectAsync(), await server.ConnectAsync());
        await subscriber.SubscribeAsync("/queue/a", "1");

        Assert.Equal(["no-subscriber"], await OutcomesAsync(publisher, "/queue/b", 1));
        Assert.Equal(["taken"], await OutcomesAsync(publisher, "/queue/a", 1));
        Assert.Equal(["no-subscriber"], await OutcomesAsync(publisher, "/queue/b", 1));
    }

    [Fact]
    public async Task A_topic_message_for_which_no_subscriber_has_room_takes_no_place()
    {
        await using var server = RelayHarness.Direct(Step(milliseconds: 10, atATime: 1));
        var (full, publisher) = (await server.ConnectAsync(), await server.ConnectAsync());
        await full.SubscribeAsync("/topic/a", "1", "ack:client", "prefetch-count:1");
        await full.SubscribeAsync("/queue/b", "2");

        Assert.Equal(["taken"], await OutcomesAsync(publisher, "/topic/a", 1));
        server.Time.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(["shed"], await OutcomesAsync(publisher, "/topic/a", 1));
        Assert.Equal(["taken", "shed"], await OutcomesAsync(publisher, "/queue/b", 2));
    }

    // Timers fire on whole milliseconds; places become free between.
    [Theory]
    [InlineData(0.1, 1, 10)]
    [InlineData(2.5, 1, 0.4)]
    [InlineData(2.5, 3, 1.2)]
    [InlineData(10, 4, 0.4)]
    public async Task While_messages_wait_exactly_as_many_pass_as_the_step_allows(double milliseconds, int atATime, double perMillisecond)
    {
        await using var server = RelayHarness.Direct(Step(milliseconds, atATime), buffer: 1000);
        var client = await server.SubscriberAsync("/queue/a", "ack:auto");
        for (var i = 0; i < 900; i++)
            Assert.Equal(PublishOutcome.Taken, await server.Broker.PublishAsync([Message("/queue/a", "")]));
        Assert.Equal(900 - atATime, server.Broker.Buffered);

        for (var elapsed = 20; elapsed <= 80; elapsed += 20)
        {
            server.Time.Advance(TimeSpan.FromMilliseconds(20));
            Assert.Equal(900 - atATime - (elapsed * perMillisecond), server.Broker.Buffered, tolerance: atATime);
        }
    }

    [Fact]
    public async Task Destinations_take_turns_at_the_step()
    {
        await using var server = RelayHarness.Direct(Step(milliseconds: 10, atATime: 1), buffer: 10);
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "a");
        await client.SubscribeAsync("/queue/b", "b");
        await PublishAsync(server, "/queue/a", "a1", "a2", "a3");
        await PublishAsync(server, "/queue/b", "b1");

        foreach (var body in new[] { "a1", "a2", "b1", "a3" })
        {
            await client.ReceiveMessageAsync(body);
            await client.ExpectNothingAsync();
            server.Time.Advance(TimeSpan.FromMilliseconds(10));
        }
    }

    [Fact]
    public async Task A_destination_with_more_waiting_takes_no_more_of_the_places_that_become_free_together()
    {
        string[] names = ["b", "c", "d", "e"];
        await using var server = RelayHarness.Direct(Step(milliseconds: 10, atATime: names.Length), buffer: 20);
        var client = await server.ConnectAsync();
        foreach (var name in names.Prepend("a"))
            await client.SubscribeAsync($"/queue/{name}", name);
        await PublishAsync(server, "/queue/a", names);
        foreach (var body in names)
            await client.ReceiveMessageAsync(body);
        foreach (var name in names)
            await PublishAsync(server, $"/queue/{name}", $"{name}1", $"{name}2");

        foreach (var turn in new[] { 1, 2 })
        {
            await client.ExpectNothingAsync();
            server.Time.Advance(TimeSpan.FromMilliseconds(10));
            foreach (var name in names)
                await client.ReceiveMessageAsync($"{name}{turn}");
        }
    }

    [Fact]
    public async Task A_later_message_does_not_overtake_one_that_waits()
    {
        await using var server = RelayHarness.Direct(Step(milliseconds: 2.5, atATime: 1), buffer: 10);
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "a");
        await client.SubscribeAsync("/queue/b", "b");
        await PublishAsync(server, "/queue/a", "a1", "a2");
        await client.ReceiveMessageAsync("a1");

        // The place is free, and the timer that says so has not fired yet.
        server.Time.Advance(TimeSpan.FromMilliseconds(2.7));
        await PublishAsync(server, "/queue/b", "b1");
        await client.ExpectNothingAsync();
        server.Time.Advance(TimeSpan.FromMilliseconds(0.3));
        await client.ReceiveMessageAsync("a2");
        server.Time.Advance(TimeSpan.FromMilliseconds(2));
        await client.ReceiveMessageAsync("b1");
    }

    private static Action<RelayOptions> Step(double milliseconds, int atATime) =>
        options => options.Delivery = new DeliveryOptions { Cost = TimeSpan.FromMilliseconds(milliseconds), AtATime = atATime };

    private static Message Message(string destination, string body) => FakeDelivery.To(destination, body).Message;

    private static async Task PublishAsync(RelayHarness server, string destination, params string[] bodies)
    {
        foreach (var body in bodies)
            Assert.Equal(PublishOutcome.Taken, await server.Broker.PublishAsync([Message(destination, body)]));
    }

    private static async Task<string[]> OutcomesAsync(StompTestClient publisher, string destination, int count)
    {
        var outcomes = new string[count];
        for (var i = 0; i < count; i++)
        {
            await publisher.PublishAsync(destination, "body", "receipt:r");
            outcomes[i] = await publisher.ReceiveReceiptAsync("r") ?? "";
        }
        return outcomes;
    }
}
