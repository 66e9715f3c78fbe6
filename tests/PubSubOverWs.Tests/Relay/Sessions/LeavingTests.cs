using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>A client that leaves with many subscriptions, which are closed in turns, gets nothing more meanwhile.</summary>
public sealed class LeavingTests
{
    private const string Connect = "CONNECT\naccept-version:1.2\nhost:test\n\n\0";
    private const string Disconnect = "DISCONNECT\nreceipt:bye\n\n\0";

    // A turn takes 32 subscriptions off the lists, or closes 16 that each give a message back; one may do the last of the first and go on.
    [Fact]
    public async Task A_client_that_leaves_with_many_subscriptions_lets_others_have_their_turn()
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes("/queue/", 500) + Sends(500) + Disconnect);
        var most = 0;

        var largest = await turns.LargestAsync(() => Gone() + server.Meter.Drops["closed"], 900);

        Assert.InRange(largest, 1, 48);

        int Gone()
        {
            var open = server.Subscriptions.Destinations.Count;
            most = Math.Max(most, open);
            return most - open;
        }
    }

    [Theory]
    [InlineData("/queue/")]
    [InlineData("/topic/")]
    public async Task A_client_that_leaves_gets_nothing_by_those_of_its_subscriptions_that_are_still_there(string kind)
    {
        await using var server = FakeBroker.Serve(out _);
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes(kind, 100) + Disconnect);
        await turns.UntilAsync(() => server.Subscriptions.HasAny($"{kind}99") && !server.Subscriptions.HasAny($"{kind}0"));

        var outcome = server.Subscriptions.Deliver(FakeDelivery.To($"{kind}99", "late"));

        turns.LetGo();
        await client.ReceiveCloseAsync();
        Assert.Equal(DeliverOutcome.NoSubscriber, outcome);
    }

    [Fact]
    public async Task A_client_that_leaves_is_told_nothing_of_those_of_its_subscriptions_that_are_still_there()
    {
        await using var server = FakeBroker.Serve(out _);
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes("/queue/", 100) + Disconnect);
        await turns.UntilAsync(() => server.Subscriptions.HasAny("/queue/99") && !server.Subscriptions.HasAny("/queue/0"));

        server.Subscriptions.EndConnections(_ => true, "Something may be missing.");

        turns.LetGo();
        await client.ReceiveAsync(StompCommand.Connected);
        await client.ReceiveReceiptAsync("bye");
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
