using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A queue that messages pass through while it, or the way to it, fails.</summary>
internal sealed class UnreliableQueue : IAsyncDisposable
{
    /// <summary>How long a received message stays hidden.</summary>
    public static readonly TimeSpan VisibilityTimeout = TimeSpan.FromSeconds(3);

    private const string Name = "unreliable";

    private static readonly IterationPlan Plan = new()
    {
        Run = Name,
        Iteration = 1,
        Users = 10,
        Messages = 30,
        Receipts = true,
        Pairs = new PairsPlan { Seed = 1 },
        Deadline = TimeSpan.FromSeconds(60),
    };

    private readonly ChildServer _localSqs;
    private readonly SqsOverHttp _sqs;

    private UnreliableQueue(ChildServer localSqs)
    {
        _localSqs = localSqs;
        _sqs = TestServers.Client(localSqs.Address);
    }

    /// <summary>Where it never fails.</summary>
    public Uri Address => _localSqs.Address;

    public static async Task<UnreliableQueue> StartAsync() =>
        new(await TestServers.QueueAsync());

    public async ValueTask DisposeAsync()
    {
        _sqs.Dispose();
        await _localSqs.DisposeAsync();
    }

    /// <summary>A server that reaches it there, and tries each call twice.</summary>
    public static Task<ChildServer> StartServerAsync(Uri endpoint, params string[] settings)
    {
        string[] own = ["--Queue:Name", Name, "--Queue:VisibilityTimeout", $"{VisibilityTimeout:c}", "--Sqs:MaxAttempts", "2",
            "--Sqs:RetryDelay", "00:00:00.010"];
        return TestServers.PubSubAsync(endpoint, [.. own, .. settings]);
    }

    /// <summary>Everything is published until it is acknowledged, arrives, and leaves nothing behind.</summary>
    /// <param name="server">From <see cref="StartServerAsync"/>.</param>
    /// <param name="copies">
    /// How many more copies of a message there may be: for each try that fails and reaches the queue all the same, and for a message that
    /// was on its way when something failed.
    /// </param>
    /// <returns>How often a publisher heard nothing, and published again.</returns>
    public async Task<long> PassAsync(ChildServer server, int copies = 1)
    {
        var target = await ClientTarget.ResolveAsync(server.Address, CancellationToken.None);
        using var servers = new ServerGroup([new GroupMember(Name, target, new StatsReader(server.Address), server)]);
        var queue = await QueueBehind.FindAsync(
            servers, _sqs, shared: null, DrainLooks.Near, TimeProvider.System, CancellationToken.None);

        var measured = await Iteration.RunAsync(
            new OneWayLoad(Plan, servers), new RunningTarget(Arm.Floor, servers) { Queue = queue }, TimeProvider.System,
            CancellationToken.None);

        var buckets = Accountant.Sum(
            Accountant.Classify(measured.Observations, Plan.Deadline, measured.Drain.Remains), measured.Acknowledged);
        var all = Plan.Users * Plan.Messages;
        Assert.Equal((all, all), (buckets.Acknowledged, buckets.Delivered));
        Assert.Equal((0, 0), (measured.Anomalies.Unexpected, measured.Anomalies.Corrupted));
        Assert.InRange(measured.Anomalies.Duplicates, 0, copies * all);
        Assert.Equal((DrainState.Proven, 0), (measured.Drain.State, measured.Drain.DeadLettered));
        return measured.Republished;
    }

    /// <summary>The attributes of the queue, read past all faults.</summary>
    public async Task<QueueAttributes> LookAsync() => await _sqs.GetQueueAttributesAsync(await UrlAsync(Name), CancellationToken.None);

    private ValueTask<string> UrlAsync(string queue) => _sqs.GetQueueUrlAsync(queue, CancellationToken.None);
}
