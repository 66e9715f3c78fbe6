using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Relay.Limits;

/// <summary>Clients that read what comes and do not acknowledge it.</summary>
public sealed class UnacknowledgedTests
{
    private const int Total = 1 << 22;

    [Fact]
    public async Task A_client_that_acknowledges_nothing_is_given_half_of_the_total_and_no_more()
    {
        await using var server = RelayHarness.Direct(options => options.UnacknowledgedBytesTotal = Total);
        var greedy = await SubscriberAsync(server, "/queue/a");
        var given = await FillAsync(server, greedy);

        Assert.InRange(given.Count * (Large.Length + MemoryBudget.PerMessage), Total / 4, (Total / 2) + MemoryBudget.Own);
        await greedy.AckAsync(given[^1]); // With ack:client, of all of them.
        Assert.Equal(PublishOutcome.Taken, await PublishAsync(server, "/queue/a", Large));
    }

    [Fact]
    public async Task Headers_count_as_bodies_do()
    {
        await using var server = RelayHarness.Direct(options => options.UnacknowledgedBytesTotal = Total);
        await SubscriberAsync(server, "/queue/a");
        KeyValuePair<string, string>[] long8K = [new("name", new string('v', 8_000))];
        var given = 0;
        while (await server.Broker.PublishAsync([new Message("m", "/queue/a", long8K, default, IsText: true)]) == PublishOutcome.Taken)
            given++;

        Assert.InRange(given * 16_000, Total / 4, (Total / 2) + MemoryBudget.Own);
    }

    [Fact]
    public async Task A_client_with_little_unacknowledged_goes_on_beside_one_with_much()
    {
        await using var server = RelayHarness.Direct(options => options.UnacknowledgedBytesTotal = Total);
        await FillAsync(server, await SubscriberAsync(server, "/queue/a"));
        var modest = await SubscriberAsync(server, "/queue/b");

        for (var i = 0; i < 10; i++)
            Assert.Equal(PublishOutcome.Taken, await PublishAsync(server, "/queue/b", "small"));
        await modest.ReceiveMessageAsync("small");
    }

    [Fact]
    public async Task A_broker_is_told_once_another_connection_acknowledges()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.UnacknowledgedBytesTotal = 1 << 17);
        var (greedy, other) = (await SubscriberAsync(server, "/queue/a"), await SubscriberAsync(server, "/queue/b"));
        while (server.Subscriptions.Deliver(Delivery("/queue/a", Large)) == DeliverOutcome.Taken)
        {
        }
        Assert.Equal(DeliverOutcome.NoRoom, server.Subscriptions.Deliver(Delivery("/queue/b", Large)));

        greedy.ServerTransport.Dispose();
        await greedy.SessionEnded;
        await server.RestAsync();
        broker.ForgetRooms();
        server.Advance(SessionClock.Period);

        Assert.Equal("/queue/b", await broker.NextRoomAsync());
        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(Delivery("/queue/b", Large)));
        await other.ReceiveMessageAsync(Large);
    }

    private static string Large { get; } = new('x', 60_000);

    private static Task<StompTestClient> SubscriberAsync(RelayHarness server, string destination) =>
        server.SubscriberAsync(destination, "ack:client");

    /// <summary>Publishes until nothing more is taken, and receives all of it.</summary>
    private static async Task<List<PlainFrame>> FillAsync(RelayHarness server, StompTestClient client)
    {
        List<PlainFrame> given = [];
        while (await PublishAsync(server, "/queue/a", Large) == PublishOutcome.Taken)
            given.Add(await client.ReceiveMessageAsync(Large));
        return given;
    }

    private static async Task<PublishOutcome> PublishAsync(RelayHarness server, string destination, string body) =>
        await server.Broker.PublishAsync([Delivery(destination, body).Message]);

    private static FakeDelivery Delivery(string destination, string body) =>
        new(new Message("m", destination, [], Encoding.UTF8.GetBytes(body), IsText: true));
}
