namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class SubscribeTests
{
    [Fact]
    public async Task Destinations_are_apart_also_when_their_names_begin_alike()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.SubscriberAsync("/queue/a");
        await client.SubscribeAsync("/topic/a", "2");

        await client.PublishAsync("/queue/aa", "nobody");
        await client.PublishAsync("/queue/A", "nobody");
        await client.PublishAsync("/topic/a", "topic");

        Assert.Equal("2", (await client.ReceiveMessageAsync("topic")).Header("subscription"));
        Assert.Equal(2, server.Meter.Drops["no-subscriber"]);
    }

    [Fact]
    public async Task Version_1_0_names_a_subscription_by_its_destination()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync("1.0");

        await client.AskAsync("SUBSCRIBE\ndestination:/queue/a\n");
        await client.PublishAsync("/queue/a", "body");
        Assert.Null((await client.ReceiveMessageAsync("body")).Header("subscription"));
        await client.AskAsync("UNSUBSCRIBE\ndestination:/queue/a\n");
        await client.PublishAsync("/queue/a", "gone", "receipt:1");

        Assert.Equal("no-subscriber", await client.ReceiveReceiptAsync("1"));
    }

    [Fact]
    public async Task One_connection_may_hold_a_limited_number_of_subscriptions()
    {
        await using var server = RelayHarness.Direct(options => options.MaxSubscriptions = 2);
        var client = await server.SubscriberAsync("/queue/a");
        await client.SubscribeAsync("/queue/a", "2");

        await client.SendAsync("SUBSCRIBE\ndestination:/queue/a\nid:3\n\n\0");

        Assert.Contains("Relay:MaxSubscriptions", (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_broker_hears_of_a_subscriber_that_arrives_and_of_one_that_leaves()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();

        await client.SubscribeAsync("/queue/a", "1");
        Assert.Equal("/queue/a", await broker.NextRoomAsync());
        await client.SubscribeAsync("/topic/b", "2");
        Assert.Equal("/topic/b", await broker.NextRoomAsync());
        await client.UnsubscribeAsync("1");
        Assert.Equal("/queue/a", await broker.NextRoomAsync());
        await client.LeaveAsync();
        Assert.Equal("/topic/b", await broker.NextRoomAsync());
    }
}
