using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Faults;
using PubSubOverWs.LoadTest.Network;
using PubSubOverWs.LoadTest.Network.Control;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.LoadTest.Targets.NullEcho;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// What one block runs on, started in the order in which the parts need each other: queue, servers, null echo. Whatever ends the block,
/// no process and no queue of it stays.
/// </summary>
public sealed class Deployment : IAsyncDisposable
{
    // A busy machine, with a virus scanner or a cold disk, takes long to start a runtime; a run that gives up too soon is lost.
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(90);

    // A server's own shutdown takes up to 30 s, most of it for polls to lapse; who cuts it short leaves messages hidden.
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(35);

    private readonly List<ChildServer> _started = [];
    private readonly Dictionary<string, List<ChildServer>> _servers = [];
    private readonly Dictionary<string, BlockQueues> _queues = [];
    private readonly Dictionary<Uri, IReadOnlyList<FaultProxy>> _ways = [];
    private readonly EventLog _events;

    private Deployment(Fault fault, EventLog events) =>
        (AllGoThroughWays, _events) = (FaultToxics.ConnectionsOfEachUser(fault) > 1, events);

    public ChildServer? LocalSqs { get; private set; }

    public ChildServer? Echo { get; private set; }

    /// <summary>The proxy through which the pubsub servers reach the queue; null: they reach it directly.</summary>
    public FaultProxy? QueueWay { get; private set; }

    /// <summary>A process that ended without being asked to; null: all are alive.</summary>
    public ChildServer? Dead => _started.Find(server => !server.IsRunning);

    /// <exception cref="ChildException">One could not be started; those that were are stopped again.</exception>
    public static async Task<Deployment> StartAsync(
        RunJob job, PinningPlan pinning, int block, string queueName, EventLog events, TimeProvider time, CancellationToken stopping)
    {
        var deployment = new Deployment(job.Scenario.Fault, events);
        var server = new ChildOptions { Core = pinning.ServerCore, StartTimeout = StartTimeout, StopTimeout = StopTimeout, Time = time };
        var load = server with { Core = pinning.LoadCore };
        try
        {
            if (job.StartsPubSub && job.Request.Queue is EmbeddedTarget)
                deployment.LocalSqs = await deployment.StartAsync(LocalSqsCommand.Of(job.Scenario, block), load, stopping);
            if (deployment.LocalSqs is { } queue && FaultToxics.StandsBeforeQueue(job.Scenario.Fault))
                deployment.QueueWay = await deployment.StartProxyAsync(queue.Address, FaultProxyProcess.MostConnections, load, stopping);
            foreach (var arm in job.Scenario.Arms)
            {
                if (arm.HasQueue && job.StartsPubSub)
                    await deployment.StartPubSubAsync(arm, job, queueName, server, stopping);
                if (arm.Target == Arms.Direct && job.StartsDirect)
                    deployment._servers[arm.Name] = [await deployment.StartAsync(
                        ServerSettings.Put(ChildCommand.Direct() with { Name = arm.Name }, job.Scenario, arm), server, stopping)];
                foreach (var address in job.AddressesOf(arm, deployment.ServersOf(arm)))
                    await deployment.StartWaysAsync(address, job.Scenario, load, stopping);
            }

            if (job.Scenario.Floor)
                deployment.Echo = await deployment.StartAsync(NullEcho.ChildCommand, server, stopping);
            return deployment;
        }
        catch
        {
            await deployment.DisposeAsync();
            throw;
        }
    }

    /// <summary>The servers of an arm: one, or the nodes that share its work; none: this run did not start them.</summary>
    public IReadOnlyList<ChildServer> ServersOf(Arm arm) => _servers.GetValueOrDefault(arm.Name) ?? [];

    /// <summary>True: publishers go through the proxies as well as subscribers.</summary>
    public bool AllGoThroughWays { get; }

    /// <summary>The proxies between clients and a server; none: nothing stands between them.</summary>
    public IReadOnlyList<FaultProxy> WaysTo(Uri server) => _ways.GetValueOrDefault(server) ?? [];

    /// <summary>The queue of an arm; null: it has none, or this run did not start its servers.</summary>
    public BlockQueues? QueueOf(Arm arm) => _queues.GetValueOrDefault(arm.Name);

    /// <summary>The cores on which each process and this one are found now.</summary>
    public IReadOnlyList<PinnedProcess> ReadCores() =>
    [
        .. _started.Where(server => server.IsRunning)
            .Select(server => new PinnedProcess(server.Name, string.Join(' ', ThreadMasks.Of(server.ProcessId)))),
        new PinnedProcess("load", string.Join(' ', ThreadMasks.Of(Environment.ProcessId))),
    ];

    /// <summary>
    /// Servers of this run that wait while those <paramref name="underTest"/> work; the queue works with the pubsub servers. Proxies are
    /// part of the load.
    /// </summary>
    public IReadOnlyList<ChildServer> IdleBeside(IReadOnlyList<ChildServer> underTest) =>
        [.. _started.Where(server =>
            !underTest.Contains(server) && !Proxies.Contains(server) && (server != LocalSqs || !underTest.Any(QueueUsers.Contains)))];

    /// <summary>The processes of all proxies.</summary>
    public IReadOnlyList<ChildServer> Proxies => [.. AllWays.Select(way => way.Process)];

    public async ValueTask DisposeAsync()
    {
        // The servers before their queues: nobody may poll a queue that is being deleted. All at once: each waits for its polls to lapse.
        await Task.WhenAll(QueueUsers.Select(server => server.StopAsync()));
        foreach (var server in QueueUsers)
            await StopAsync(server);
        foreach (var arm in _queues.Keys.ToList())
            await DeleteQueueAsync(arm);
        foreach (var server in Enumerable.Reverse(_started).ToList())
            await StopAsync(server);
        foreach (var way in AllWays)
            await way.DisposeAsync();
    }

    private IEnumerable<FaultProxy> AllWays => _ways.Values.SelectMany(ways => ways).Concat(QueueWay is { } way ? [way] : []);

    private List<ChildServer> QueueUsers => [.. _queues.Keys.SelectMany(arm => _servers.GetValueOrDefault(arm) ?? [])];

    private async Task StartPubSubAsync(Arm arm, RunJob job, string blockQueue, ChildOptions server, CancellationToken stopping)
    {
        var (target, queue) = (job.Request.Queue, blockQueue + arm.Instance);
        var hasNodes = job.Scenario.PubSubNodes > 1;
        _queues[arm.Name] = new BlockQueues(
            queue, target.Connect(LocalSqs?.Address, server.Time), hasNodes ? target.ConnectTopics(LocalSqs?.Address, server.Time) : null,
            server.Time);
        var servers = _servers[arm.Name] = [];
        foreach (var command in PubSubCommands.Of(arm.Name, job.Scenario.PubSubNodes, target, queue, QueueWay?.Address
            ?? LocalSqs?.Address))
            servers.Add(await StartAsync(ServerSettings.Put(command, job.Scenario, arm), server, stopping));
        if (hasNodes)
            await ClusterReadiness.WaitAsync(servers, server.Time, stopping);
    }

    private async Task StartWaysAsync(Uri server, RelayScenario scenario, ChildOptions options, CancellationToken stopping)
    {
        var connections = scenario.MostUsers * FaultToxics.ConnectionsOfEachUser(scenario.Fault);
        var ways = new List<FaultProxy>();
        _ways[server] = ways;
        for (var left = FaultProxyProcess.CountFor(connections); left > 0; left--)
            ways.Add(await StartProxyAsync(server, FaultProxyProcess.MostConnections, options, stopping));
    }

    private async Task<FaultProxy> StartProxyAsync(Uri server, int connections, ChildOptions options, CancellationToken stopping)
    {
        var proxy = await FaultProxy.StartAsync(server, connections, options, stopping);
        _started.Add(proxy.Process);
        _events.Add("started", proxy.Process.Name, $"process {proxy.Process.ProcessId} at {proxy.Address}, before {server}");
        return proxy;
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
        await server.PredecessorEnded;
        _events.Add("stopped", server.Name, $"{exit.AsAsked}");
    }

    private async Task DeleteQueueAsync(string arm)
    {
        _queues.Remove(arm, out var queue);
        if (await queue!.DeleteAsync() is { } failure)
            _events.AddQueueLeft(queue.Name, failure);
        else
        {
            var nodes = _servers.GetValueOrDefault(arm)?.Count > 1 ? "the queues and topics of its nodes and " : "";
            _events.Add("queue-deleted", queue.Name, $"with {nodes}its dead-letter queue");
        }

        queue.Dispose();
    }
}
