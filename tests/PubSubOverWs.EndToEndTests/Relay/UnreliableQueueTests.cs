using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>Messages pass a server whose queue, or the way to it, fails all the while: nothing that was acknowledged may be lost.</summary>
[Collection(nameof(Machine))]
[Trait("Category", "Long")]
public sealed class UnreliableQueueTests : IAsyncLifetime
{
    private UnreliableQueue _queue = null!;

    public async Task InitializeAsync() => _queue = await UnreliableQueue.StartAsync();

    public async Task DisposeAsync() => await _queue.DisposeAsync();

    [Fact]
    public async Task Half_of_all_batch_entries_fail()
    {
        await using var front = new QueueFront(_queue.Address);
        await front.ComeAsync();
        await using var server = await StartAsync(front.Address);
        front.Failure = new QueueFailure(200, "InternalError", "Try again.")
        {
            Operations = ["SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch"],
            InEntries = true,
            Share = 0.5,
        };

        await _queue.PassAsync(server);

        Assert.True(front.MixedAnswers > 0);
    }

    [Fact]
    public async Task The_queue_takes_every_second_call_only()
    {
        await using var front = new QueueFront(_queue.Address);
        await front.ComeAsync();
        await using var server = await StartAsync(front.Address);
        front.Failure = new QueueFailure(400, "RequestThrottled", "Rate exceeded.") { Share = 0.5 };

        await _queue.PassAsync(server);
    }

    [Fact]
    public async Task The_network_to_the_queue_is_slow_stalls_and_resets_connections()
    {
        await using var proxy = await FaultProxy.StartAsync(_queue.Address, connections: 100, new ChildOptions(), CancellationToken.None);
        await using var server = await StartAsync(proxy.Address);
        await proxy.SetAsync(
            [
                new LatencyToxic(TimeSpan.FromMilliseconds(2), TimeSpan.FromMilliseconds(2)),
                new StallToxic(TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(300)),
                new ResetToxic(TimeSpan.FromMilliseconds(400), TimeSpan.FromMilliseconds(300)),
            ],
            seed: 1, CancellationToken.None);

        await _queue.PassAsync(server);
    }

    [Fact]
    public async Task The_network_to_the_queue_stalls_for_longer_than_a_call_may_take()
    {
        await using var proxy = await FaultProxy.StartAsync(_queue.Address, connections: 100, new ChildOptions(), CancellationToken.None);
        await using var server = await StartAsync(proxy.Address, "--Sqs:RequestTimeout", "00:00:01");
        // A receive may take its long poll of 1 s besides.
        await proxy.OrderAsync(
            [new ProxyOrder(OrderKind.Stall), new ProxyOrder(OrderKind.Resume) { At = TimeSpan.FromSeconds(3) }], CancellationToken.None);

        // A publish is tried until Queue:PublishTimeout: three times, of a second each, in the stall. All reach the queue after it.
        var again = await _queue.PassAsync(server, copies: 3);

        Assert.Equal(0, again);
        Assert.True(await RetriesAsync(server) > 0);
    }

    [Fact]
    public async Task The_queue_is_away_for_a_while_shorter_than_a_publish_may_wait()
    {
        await using var proxy = await FaultProxy.StartAsync(_queue.Address, connections: 100, new ChildOptions(), CancellationToken.None);
        await using var server = await StartAsync(proxy.Address);
        await proxy.OrderAsync(
            [new ProxyOrder(OrderKind.Refuse), new ProxyOrder(OrderKind.Cut),
                new ProxyOrder(OrderKind.Accept) { At = TimeSpan.FromSeconds(3) }], CancellationToken.None);

        var again = await _queue.PassAsync(server);

        // The clients waited: none was refused or cut.
        Assert.Equal(0, again);
    }

    /// <summary>Calls that the server made a second time; here only because the first had no answer in time.</summary>
    private static async Task<long> RetriesAsync(ChildServer server) =>
        (await TestServers.StatsAsync(server)).GetProperty("queue").GetProperty("retries").GetInt64();

    private static Task<ChildServer> StartAsync(Uri endpoint, params string[] settings) =>
        UnreliableQueue.StartServerAsync(endpoint, ["--Queue:PublishTimeout", "00:00:20", .. settings]);
}
