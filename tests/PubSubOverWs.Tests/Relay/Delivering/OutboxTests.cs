using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

public sealed class OutboxTests
{
    [Fact]
    public async Task A_broker_that_fails_when_it_is_told_of_room_is_logged_and_ends_the_session()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.OutboxFrames = 1);
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "1");
        await server.RestAsync();
        var (taken, refused) = (FakeDelivery.To("/queue/a", "taken"), FakeDelivery.To("/queue/a", "refused"));
        List<Outbox> filled = [];
        Outbox.Collect(filled);
        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(taken));
        Assert.Equal(DeliverOutcome.NoRoom, server.Subscriptions.Deliver(refused));
        Outbox.Collect(null);
        broker.OnRoom = () =>
        {
            broker.OnRoom = () => { };
            throw new InvalidOperationException("The broker is broken.");
        };

        Assert.Single(filled).Execute();

        await client.SessionEnded;
        Assert.Equal(["settled"], taken.Ends);
        Assert.Contains("The broker is broken.", Assert.Single(server.Log.Errors), StringComparison.Ordinal);
    }
}
