using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Kills;
using PubSubOverWs.LoadTest.Nodes;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Workloads.OneWay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A queue that messages pass through while it, or the way to it, fails.</summary>
internal sealed class UnreliableQueue : IAsyncDisposable
{
    /// <summary>How long a received message stays hidden.</summary>
    public static readonly TimeSpan VisibilityTimeout = TimeSpan.FromSeconds(3);

    private const string Name = "unreliable";

    private static readonly KillsPlan Plan = new() { Messages = 300, Kills = 0, Publishers = 2, SubscribersPerQueue = 1 };
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly ChildServer _localSqs;
    private readonly SqsOverHttp _sqs;

    private UnreliableQueue(ChildServer localSqs)
    {
        _localSqs = localSqs;
        _sqs = OnLocalSqs.Client(localSqs.Address);
    }

    /// <summary>Where it never fails.</summary>
    public Uri Address => _localSqs.Address;

    public static async Task<UnreliableQueue> StartAsync() =>
        new(await ChildServer.StartAsync(ChildCommand.LocalSqs(), new ChildOptions(), CancellationToken.None));

    public async ValueTask DisposeAsync()
    {
        _sqs.Dispose();
        await _localSqs.DisposeAsync();
    }

    /// <summary>A server that reaches it there, and tries each call twice.</summary>
    public static Task<ChildServer> StartServerAsync(Uri endpoint, params string[] settings)
    {
        string[] own = ["--Sqs:Queue", Name, "--Sqs:VisibilityTimeout", $"{VisibilityTimeout:c}", "--Sqs:MaxAttempts", "2",
            "--Sqs:RetryDelay", "00:00:00.010"];
        return ChildServer.StartAsync(OnLocalSqs.PubSub(endpoint, [.. own, .. settings]), new ChildOptions(), CancellationToken.None);
    }

    /// <summary>Everything is published until it is acknowledged, arrives, and leaves nothing behind.</summary>
    /// <returns>How often a publisher heard nothing, and published again.</returns>
    public async Task<int> PassAsync(ChildServer server)
    {
        var (tally, taken, again) = (new Tally(Plan.Messages), new bool[Plan.Messages], new bool[Plan.Messages]);
        var target = await ClientTarget.ResolveAsync(server.Address, CancellationToken.None);
        var publishers = Enumerable.Range(0, Plan.Publishers)
            .Select(index => new KillsPublisher(target, Plan.BackoffOf(index), Plan, index, taken, again)).ToArray();
        var subscribers = Enumerable.Range(0, Plan.Queues)
            .Select(index => new KillsSubscriber(target, Plan.BackoffOf(Plan.Publishers + index), Plan, index, tally)).ToArray();
        ReturningClient[] clients = [.. subscribers, .. publishers];
        foreach (var client in clients)
            Assert.Null(await client.EnterAsync(TimeProvider.System));
        var publishing =
            publishers.Select(publisher =>
                publisher.RunAsync(TimeProvider.System.GetTimestamp(), TimeProvider.System, CancellationToken.None)).ToArray();

        var complete = await Arrivals.WaitAsync(
            () => tally.Distinct == Plan.Messages && Array.TrueForAll(publishing, task => task.IsCompletedSuccessfully),
            () => tally.Arrivals, Patience, TimeProvider.System, CancellationToken.None);

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

    /// <summary>What the queue says of itself, past whatever fails.</summary>
    public async Task<QueueAttributes> LookAsync() =>
        await _sqs.GetQueueAttributesAsync(await _sqs.GetQueueUrlAsync(Name, CancellationToken.None), CancellationToken.None);

    private async Task EmptyAsync()
    {
        await Eventually.HoldsAsync(async () => (await LookAsync()).IsEmpty);
        Assert.True(
            (await _sqs.GetQueueAttributesAsync(
                await _sqs.GetQueueUrlAsync(Name + "-dead", CancellationToken.None), CancellationToken.None)).IsEmpty);
    }
}
