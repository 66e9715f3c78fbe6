using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>
/// "The server MUST then close the connection just after sending the ERROR frame": nothing that was on its way comes behind it.
/// </summary>
public sealed class ErrorIsLastTests
{
    [Fact]
    public async Task Nothing_follows_an_error()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.HeartBeat = TimeSpan.FromSeconds(1));
        var client = await server.ConnectAsync(heartBeat: "0,1000");
        await client.SubscribeAsync("/queue/a", "1");
        await client.PublishAsync("/queue/a", "taken late", "receipt:late");
        var publish = await broker.NextPublishAsync();
        await publish.Followed.Patiently();
        client.ServerTransport.Stall();
        await client.SendAsync("NONSENSE\n\n\0SUBSCRIBE\ndestination:/queue/b\nid:2\nreceipt:2\n\n\0");
        await client.ServerTransport.WriteWaits.Patiently();

        // While the ERROR is being written: an answer that is owed, a message, and a heart-beat.
        publish.Take();
        await publish.Told.Patiently();
        Assert.NotEqual(DeliverOutcome.Taken, server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", "message")));
        server.Advance(TimeSpan.FromSeconds(2));
        client.ServerTransport.Resume();

        Assert.Contains("NONSENSE", (await client.ReceiveErrorAsync()).Body, StringComparison.Ordinal);
    }
}
