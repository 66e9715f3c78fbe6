using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>A client that leaves with many subscriptions gets nothing more, and they are closed in turns.</summary>
public sealed class LeavingTests
{
    private const string Connect = "CONNECT\naccept-version:1.2\nhost:test\n\n\0";
    private const string Disconnect = "DISCONNECT\nreceipt:bye\n\n\0";

    // A turn closes 16 that each give a message back.
    [Fact]
    public async Task A_client_that_leaves_with_many_subscriptions_lets_others_have_their_turn()
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes("/queue/", 500) + Sends(500) + Disconnect);

        var largest = await turns.LargestAsync(() => server.Meter.Drops["closed"], 500);

        Assert.InRange(largest, 1, 16);
    }

    [Theory]
    [InlineData("/queue/")]
    [InlineData("/topic/")]
    public async Task A_client_that_leaves_is_off_all_its_destinations_before_others_have_their_turn(string kind)
    {
        await using var server = FakeBroker.Serve(out _);
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes(kind, 100) + Disconnect);
        await turns.UntilAsync(() => server.Subscriptions.HasAny($"{kind}0"));

        await turns.UntilAsync(() => !server.Subscriptions.HasAny($"{kind}0"));

        var (left, outcome) = (server.Subscriptions.Destinations, server.Subscriptions.Deliver(FakeDelivery.To($"{kind}99", "late")));
        turns.LetGo();
        await client.ReceiveCloseAsync();
        Assert.Empty(left);
        Assert.Equal(DeliverOutcome.NoSubscriber, outcome);
    }

    [Fact]
    public async Task A_client_that_answered_the_close_frame_is_not_cut_while_its_subscriptions_are_closed()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes("/queue/", 100));
        await turns.UntilAsync(() => server.Subscriptions.HasAny("/queue/99"));
        server.Subscriptions.EndConnections(name => name == "/queue/99", "Something may be missing.");
        await client.ReceiveAsync(StompCommand.Connected);
        await client.ReceiveAsync(StompCommand.Error);
        await client.ReceiveCloseAsync(isNext: true);
        var closed = 0;
        broker.OnRoom = () => closed++;
        await turns.UntilAsync(() => closed > 0);

        server.Advance(2 * server.Options.CloseTimeout);

        turns.LetGo();
        await client.SessionEnded;
        Assert.Equal(0, server.Meter.Connections.Cut);
    }

    private static string Subscribes(string kind, int count) => string.Concat(Enumerable.Range(0, count)
        .Select(i => $"SUBSCRIBE\nid:{i}\ndestination:{kind}{i}\nack:client\n\n\0"));

    private static string Sends(int count) => string.Concat(Enumerable.Range(0, count)
        .Select(i => $"SEND\ndestination:/queue/{i}\n\nx\0"));
}
