using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class EndConnectionsTests
{
    [Fact]
    public async Task The_subscribers_of_some_destinations_are_told_why_and_disconnected_and_no_others()
    {
        await using var server = RelayHarness.Direct();
        var topic = await server.ConnectAsync();
        await topic.SubscribeAsync("/topic/a", "1");
        var queue = await server.ConnectAsync();
        await queue.SubscribeAsync("/queue/a", "1");

        server.Subscriptions.EndConnections(DestinationName.IsTopic, "Something may be missing.");

        Assert.Equal("Something may be missing.", (await topic.ReceiveErrorAsync()).Header("message"));
        await topic.SessionEnded;
        Assert.Equal(["/queue/a"], server.Subscriptions.Destinations);
        await queue.ExpectNothingAsync();
    }
}
