using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Floor;
using PubSubOverWs.LoadTest.Load.Pinning;
using PubSubOverWs.LoadTest.Nodes;
using PubSubOverWs.LoadTest.Queues;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// What one block runs on, started in the order in which the parts need each other: queue, servers, null echo. Whatever ends the block,
/// no process and no queue of it stays.
/// </summary>
public sealed class Fleet : IAsyncDisposable
{
    // A busy machine, with a virus scanner or a cold disk, takes long to start a runtime; a run that gives up too soon is lost.
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(90);

    // A server's own shutdown takes up to 30 s, most of it for polls to lapse; who cuts it short leaves messages hidden.
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(35);

    private readonly List<ChildServer> _started = [];
    private readonly List<ChildServer> _pubsub = [];
    private readonly EventLog _events;

    private Fleet(EventLog events) => _events = events;

    public ChildServer? LocalSqs { get; private set; }

    public ChildServer? Direct { get; private set; }

    /// <summary>One, or the nodes that share the work; none: this run does not start any.</summary>
    public IReadOnlyList<ChildServer> PubSub => _pubsub;

    public ChildServer? Echo { get; private set; }

    /// <summary>Null: this run does not start the pubsub server, and so has no queue of its own.</summary>
    public BlockQueues? Queue { get; private set; }

    /// <summary>A process that ended without being asked to; null: all are alive.</summary>
    public ChildServer? Dead => _started.Find(server => !server.IsRunning);

    /// <exception cref="ChildException">One could not be started; those that were are stopped again.</exception>
    public static async Task<Fleet> StartAsync(
        RunJob job, PinningPlan pinning, int block, string queueName, EventLog events, TimeProvider time, CancellationToken stopping)
    {
        var fleet = new Fleet(events);
        var server = new ChildOptions { Core = pinning.ServerCore, StartTimeout = StartTimeout, StopTimeout = StopTimeout, Time = time };
        try
        {
            if (job.StartsPubSub)
                await fleet.StartPubSubAsync(job, block, queueName, server, server with { Core = pinning.LoadCore }, stopping);
            if (job.StartsDirect)
                fleet.Direct = await fleet.StartAsync(ChildCommand.Direct(), server, stopping);
            if (job.Scenario.Floor)
                fleet.Echo = await fleet.StartAsync(NullEcho.ChildCommand, server, stopping);
            return fleet;
        }
        catch
        {
            await fleet.DisposeAsync();
            throw;
        }
    }

    /// <summary>The cores on which each process and this one are found now.</summary>
    public IReadOnlyList<PinnedProcess> ReadCores() =>
    [
        .. _started.Where(server => server.IsRunning).Select(server => new PinnedProcess(server.Name, string.Join(' ', ThreadMasks.Of(server.ProcessId)))),
        new PinnedProcess("load", string.Join(' ', ThreadMasks.Of(Environment.ProcessId))),
    ];

    /// <summary>Servers of this run that wait while those <paramref name="underTest"/> work; the queue works with the pubsub servers.</summary>
    public IReadOnlyList<ChildServer> IdleBeside(IReadOnlyList<ChildServer> underTest) =>
        [.. _started.Where(server => !underTest.Contains(server) && (server != LocalSqs || !underTest.Any(_pubsub.Contains)))];

    public async ValueTask DisposeAsync()
    {
        // The servers before their queues: nobody may poll a queue that is being deleted. All at once: each waits for its polls to lapse.
        await Task.WhenAll(_pubsub.Select(server => server.StopAsync()));
        foreach (var server in _pubsub)
            await StopAsync(server);
        if (Queue is not null)
            await DeleteQueueAsync(Queue);
        foreach (var server in Enumerable.Reverse(_started).ToList())
            await StopAsync(server);
    }

    private async Task StartPubSubAsync(RunJob job, int block, string queueName, ChildOptions server, ChildOptions queue, CancellationToken stopping)
    {
        var target = job.Request.Queue;
        if (target is EmbeddedTarget)
            LocalSqs = await StartAsync(LocalSqsCommand.Of(job.Scenario, block), queue, stopping);
        var hasNodes = job.Scenario.PubSubNodes > 1;
        Queue = new BlockQueues(
            queueName, target.Connect(LocalSqs?.Address, server.Time), hasNodes ? target.ConnectTopics(LocalSqs?.Address, server.Time) : null, server.Time);
        foreach (var command in PubSubCommands.Of(job.Scenario, target, queueName, LocalSqs?.Address))
            _pubsub.Add(await StartAsync(command, server, stopping));
        if (hasNodes)
            await Acquaintance.WaitAsync(_pubsub, server.Time, stopping);
    }

    private async Task<ChildServer> StartAsync(ChildCommand command, ChildOptions options, CancellationToken stopping)
    {
        var server = await ChildServer.StartAsync(command, options, stopping);
        _started.Add(server);
        _events.Add("started", server.Name, $"process {server.ProcessId} at {server.Address}");
        return server;
    }

    private async Task StopAsync(ChildServer server)
    {
        if (!_started.Remove(server))
            return;
        var exit = await server.StopAsync();
        _events.Add("stopped", server.Name, $"exit code {exit.ExitCode}{(exit.Killed ? ", killed: it did not end in time" : "")}");
    }

    private async Task DeleteQueueAsync(BlockQueues queue)
    {
        Queue = null;
        if (await queue.DeleteAsync() is { } failure)
            _events.AddQueueLeft(queue.Name, failure);
        else
            _events.Add("queue-deleted", queue.Name, $"with {(_pubsub.Count > 1 ? "the queues and topics of its nodes and " : "")}its dead-letter queue");
        queue.Dispose();
    }
}
