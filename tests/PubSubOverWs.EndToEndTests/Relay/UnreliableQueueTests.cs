using PubSubOverWs.LoadTest.Faults;
using PubSubOverWs.LoadTest.Faults.Control;
using PubSubOverWs.LoadTest.Faults.Toxics;
using PubSubOverWs.LoadTest.Kills;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Load.Pairs;
using PubSubOverWs.LoadTest.Nodes;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>Messages pass a server whose queue, or the way to it, fails all the while: nothing that was acknowledged may be lost.</summary>
public sealed class UnreliableQueueTests : IAsyncLifetime
{
    private const string Name = "unreliable";

    private static readonly KillsPlan Plan = new() { Messages = 300, Kills = 0, Publishers = 2, SubscribersPerQueue = 1 };

    private ChildServer _localSqs = null!;
    private SqsOverHttp _sqs = null!;

    public async Task InitializeAsync()
    {
        _localSqs = await ChildServer.StartAsync(ChildCommand.LocalSqs(), new ChildOptions(), CancellationToken.None);
        _sqs = new SqsOverHttp(new SqsOptions { Endpoint = _localSqs.Address.ToString(), AccessKey = "test", SecretKey = "test" }, TimeProvider.System);
    }

    public async Task DisposeAsync()
    {
        _sqs.Dispose();
        await _localSqs.DisposeAsync();
    }

    [Fact]
    public async Task Half_of_all_batch_entries_fail()
    {
        await using var front = new QueueFront(_localSqs.Address);
        await front.ComeAsync();
        await using var server = await StartAsync(front.Address);
        front.Failure = new QueueFailure(200, "InternalError", "Try again.")
        {
            Operations = ["SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch"],
            InEntries = true,
            Share = 0.5,
        };

        await PassAsync(server);

        Assert.True(front.MixedAnswers > 0);
    }

    [Fact]
    public async Task The_queue_takes_every_second_call_only()
    {
        await using var front = new QueueFront(_localSqs.Address);
        await front.ComeAsync();
        await using var server = await StartAsync(front.Address);
        front.Failure = new QueueFailure(400, "RequestThrottled", "Rate exceeded.") { Share = 0.5 };

        await PassAsync(server);
    }

    [Fact]
    public async Task The_network_to_the_queue_is_slow_stalls_and_resets_connections()
    {
        await using var proxy = await FaultProxy.StartAsync(_localSqs.Address, connections: 100, new ChildOptions(), CancellationToken.None);
        await using var server = await StartAsync(proxy.Address);
        await proxy.SetAsync(
            [
                new LatencyToxic(TimeSpan.FromMilliseconds(2), TimeSpan.FromMilliseconds(2)),
                new StallToxic(TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(300)),
                new ResetToxic(TimeSpan.FromMilliseconds(400), TimeSpan.FromMilliseconds(300)),
            ],
            seed: 1, CancellationToken.None);

        await PassAsync(server);
    }

    [Fact]
    public async Task The_queue_is_away_for_a_while_shorter_than_a_publish_may_wait()
    {
        await using var proxy = await FaultProxy.StartAsync(_localSqs.Address, connections: 100, new ChildOptions(), CancellationToken.None);
        await using var server = await StartAsync(proxy.Address);
        await proxy.OrderAsync(
            [new ProxyOrder(OrderKind.Refuse), new ProxyOrder(OrderKind.Cut), new ProxyOrder(OrderKind.Accept) { At = TimeSpan.FromSeconds(3) }], CancellationToken.None);

        var again = await PassAsync(server);

        // The clients waited: nobody was refused, or cut.
        Assert.Equal(0, again);
    }

    /// <summary>Everything is published until it is acknowledged, arrives, and leaves nothing behind.</summary>
    /// <returns>How often a publisher heard nothing, and published again.</returns>
    private async Task<int> PassAsync(ChildServer server)
    {
        var (tally, taken, again) = (new Tally(Plan.Messages), new bool[Plan.Messages], new bool[Plan.Messages]);
        var target = await ClientTarget.ResolveAsync(server.Address, CancellationToken.None);
        var publishers = Enumerable.Range(0, Plan.Publishers).Select(index => new KillsPublisher(target, Plan.BackoffOf(index), Plan, index, taken, again)).ToArray();
        var subscribers = Enumerable.Range(0, Plan.Queues).Select(index => new KillsSubscriber(target, Plan.BackoffOf(Plan.Publishers + index), Plan, index, tally)).ToArray();
        ReturningClient[] clients = [.. subscribers, .. publishers];
        foreach (var client in clients)
            Assert.Null(await client.EnterAsync(TimeProvider.System));
        var publishing = publishers.Select(publisher => publisher.RunAsync(TimeProvider.System.GetTimestamp(), TimeProvider.System, CancellationToken.None)).ToArray();

        var complete = await Arrivals.WaitAsync(() => tally.Distinct == Plan.Messages && Array.TrueForAll(publishing, task => task.IsCompletedSuccessfully), () => tally.Arrivals, TimeSpan.FromSeconds(30), TimeProvider.System, CancellationToken.None);

        Assert.True(complete, $"{taken.Count(each => each)} taken, {tally.Distinct} delivered of {Plan.Messages}");
        Assert.Equal((0, 0L), (tally.Unexpected, tally.Corrupted));
        // A copy for each publish, and for each message that was on its way when something failed.
        Assert.InRange(tally.Duplicates, 0, Plan.Messages);
        await EmptyAsync();
        foreach (var client in clients)
            client.Abort();
        await Task.WhenAll(clients.Select(client => client.EndAsync()));
        foreach (var client in clients)
            client.Dispose();
        return publishers.Sum(publisher => publisher.PublishedAgain);
    }

    private async Task EmptyAsync()
    {
        var url = await _sqs.GetQueueUrlAsync(Name, CancellationToken.None);
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        while (!(await _sqs.GetQueueAttributesAsync(url, patience.Token)).IsEmpty)
            await Task.Yield();
        Assert.True((await _sqs.GetQueueAttributesAsync(await _sqs.GetQueueUrlAsync(Name + "-dead", CancellationToken.None), CancellationToken.None)).IsEmpty);
    }

    private static Task<ChildServer> StartAsync(Uri endpoint)
    {
        var keys = new Dictionary<string, string> { ["Sqs__AccessKey"] = "test", ["Sqs__SecretKey"] = "test" };
        return ChildServer.StartAsync(
            ChildCommand.PubSub(
                keys, "--Sqs:Endpoint", endpoint.ToString(), "--Sqs:Queue", Name, "--Sqs:WaitTime", "00:00:01", "--Sqs:VisibilityTimeout", "00:00:03",
                "--Sqs:MaxAttempts", "2", "--Sqs:RetryDelay", "00:00:00.010", "--Sqs:PublishTimeout", "00:00:20"),
            new ChildOptions(), CancellationToken.None);
    }
}
