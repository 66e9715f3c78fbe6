using System.Text.Json;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Sqs;

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

        // A publish is tried until Sqs:PublishTimeout: three times, of a second each, in the stall. All reach the queue after it.
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
    private static async Task<long> RetriesAsync(ChildServer server)
    {
        using var http = new HttpClient { BaseAddress = server.Address };
        using var stats = JsonDocument.Parse(await http.GetStringAsync(new Uri("/stats", UriKind.Relative)));
        return stats.RootElement.GetProperty("queue").GetProperty("retries").GetInt64();
    }

    private static Task<ChildServer> StartAsync(Uri endpoint, params string[] settings) =>
        UnreliableQueue.StartServerAsync(endpoint, ["--Sqs:PublishTimeout", "00:00:20", .. settings]);
}

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
        string[] own = ["--Sqs:Queue", Name, "--Sqs:VisibilityTimeout", $"{VisibilityTimeout:c}", "--Sqs:MaxAttempts", "2",
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
