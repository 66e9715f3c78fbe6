using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// A queue that is away for longer than a publish may wait. It takes its time, so it stands alone: other tests run beside it.
/// </summary>
[Trait("Category", "Long")]
public sealed class QueueAwayTests
{
    private const string Destination = "/queue/held";

    private static readonly string[] Held = ["0", "1", "2", "3", "4"];

    [Fact]
    public async Task A_client_that_publishes_while_the_queue_is_away_gets_an_error_and_publishes_again_until_it_is_taken()
    {
        await using var queue = await UnreliableQueue.StartAsync();
        await using var proxy = await FaultProxy.StartAsync(queue.Address, connections: 100, new ChildOptions(), CancellationToken.None);
        // A publish may wait for the 10 s of the default.
        await using var server = await UnreliableQueue.StartServerAsync(proxy.Address);
        var errors = 0;
        Task<long> passing;
        using (var holds = await StompUser.ConnectAsync(server.Address))
        {
            holds.Subscribe(Destination);
            using var first = await StompUser.ConnectAsync(server.Address);
            foreach (var id in Held)
            {
                Assert.Null(await first.PublishAsync(Destination, id));
                await holds.ReceiveAsync(id);
            }
            await proxy.OrderAsync(
                [new ProxyOrder(OrderKind.Refuse), new ProxyOrder(OrderKind.Cut),
                    new ProxyOrder(OrderKind.Accept) { At = TimeSpan.FromSeconds(30) }], CancellationToken.None);
            passing = queue.PassAsync(server);

            for (; !await IsTakenAsync(server); errors++)
            {
                // After the first of them the queue has long let go of what this server could not renew.
                if (errors == 0)
                    Assert.True(await queue.LookAsync() is { Visible: 5, InFlight: 0 });
            }
        }
        using var after = await StompUser.ConnectAsync(server.Address);
        await after.ReceiveAllAsync(Destination, [.. Held, "during"]);
        // It stays until all have passed: what comes twice goes to it.
        var again = await passing;

        Assert.InRange(errors, 2, 3);
        Assert.True(again > 0);
    }

    /// <summary>On a connection of its own, for after an ERROR it is closed.</summary>
    private static async Task<bool> IsTakenAsync(ChildServer server)
    {
        using var user = await StompUser.ConnectAsync(server.Address);
        if (await user.PublishAsync(Destination, "during") is not { } error)
            return true;
        Assert.Contains("the outcome is unknown", error, StringComparison.Ordinal);
        var closed = await Assert.ThrowsAsync<InvalidOperationException>(() => user.ReceiveAsync("nothing"));
        Assert.StartsWith("The server closed the connection", closed.Message, StringComparison.Ordinal);
        return false;
    }
}
