using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

public sealed class SubscriptionsTests
{
    [Theory]
    [InlineData("/queue/a")]
    [InlineData("/topic/a")]
    public async Task A_subscriber_leaves_without_a_look_at_the_others(string destination)
    {
        await using var server = FakeBroker.Serve(out _);
        var looks = 0;
        List<Subscription> subscribers = [.. Enumerable.Range(0, 1_000).Select(_ => new Counted(destination, () => looks++))];
        subscribers.ForEach(server.Subscriptions.Add);

        // From the last to the first, and every other one first: no order is the cheap one.
        for (var i = subscribers.Count - 1; i >= 0; i -= 2)
            server.Subscriptions.Remove(subscribers[i]);
        for (var i = subscribers.Count - 2; i >= 0; i -= 2)
            server.Subscriptions.Remove(subscribers[i]);

        Assert.Equal(0, looks);
        Assert.False(server.Subscriptions.HasAny(destination));
    }

    [Fact]
    public async Task The_turn_of_the_other_subscribers_of_a_queue_stays_when_one_leaves()
    {
        await using var server = FakeBroker.Serve(out _);
        StompTestClient[] clients = [await server.ConnectAsync(), await server.ConnectAsync(), await server.ConnectAsync()];
        foreach (var client in clients)
            await client.SubscribeAsync("/queue/a", "1");

        await ExpectAsync(clients[0], "1");
        await ExpectAsync(clients[1], "2");
        await clients[1].UnsubscribeAsync("1");
        await ExpectAsync(clients[2], "3");
        await ExpectAsync(clients[0], "4");
        await clients[0].UnsubscribeAsync("1");
        await clients[1].SubscribeAsync("/queue/a", "1");
        await ExpectAsync(clients[2], "5");
        await ExpectAsync(clients[1], "6");
        await ExpectAsync(clients[2], "7");

        async Task ExpectAsync(StompTestClient next, string body)
        {
            Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", body)));
            await next.ReceiveMessageAsync(body);
        }
    }

    [Fact]
    public async Task The_subscribers_of_some_destinations_are_told_why_and_disconnected_and_no_others()
    {
        await using var server = RelayHarness.Direct();
        var topic = await server.SubscriberAsync("/topic/a");
        var queue = await server.SubscriberAsync("/queue/a");

        server.Subscriptions.EndConnections(DestinationName.IsTopic, "Something may be missing.");

        Assert.Equal("Something may be missing.", (await topic.ReceiveErrorAsync()).Header("message"));
        await topic.SessionEnded;
        Assert.Equal(["/queue/a"], server.Subscriptions.Destinations);
        await queue.ExpectNothingAsync();
    }

    /// <summary>Counts how often it is compared with another.</summary>
    private sealed class Counted(string destination, Action onLook) : Subscription(null!, destination, AckMode.Auto, 0)
    {
        public override bool Equals(object? obj)
        {
            onLook();
            return ReferenceEquals(this, obj);
        }

        public override int GetHashCode() => 0;
    }
}
