using System.Collections.Concurrent;
using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// The processes of one block, started in the order of their dependencies. When the block ends, for whatever reason, they are stopped and
/// what was created for them is deleted.
/// </summary>
public sealed class BlockProcesses(BlockPlan plan, PinningPlan pinning, EventLog events, TimeProvider time) : IAsyncDisposable
{
    // Long, because starting a runtime is slow on a busy machine, with a virus scanner or a cold disk.
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(90);

    // A server's own shutdown takes up to 30 s, mostly for polls to end; a shorter one leaves messages hidden.
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(35);

    private readonly List<ChildServer> _started = [];
    private readonly List<ChildServer> _servers = [];
    private readonly List<ChildServer> _load = [];
    private readonly List<FaultProxy> _proxies = [];
    private readonly List<Func<Task>> _afterServers = [];
    private readonly List<IDisposable> _open = [];

    public BlockPlan Plan => plan;

    public EventLog Events => events;

    public TimeProvider Time => time;

    /// <summary>A process that ended unexpectedly; null: all are running.</summary>
    public ChildServer? Dead => _started.Find(server => !server.IsRunning);

    /// <summary>Running processes that a signal stopped since the last call, or that are stopped.</summary>
    public IReadOnlyList<ChildServer> TakeStopped() => [.. _started.Where(server => server.IsRunning && server.WasStopped())];

    /// <summary>Processes that have the clients; empty: this program has them.</summary>
    public IReadOnlyList<ChildServer> LoadProcesses => _load;

    /// <summary>The processes of all proxies: part of the load.</summary>
    public IReadOnlyList<ChildServer> ProxyProcesses => [.. _proxies.Select(proxy => proxy.Process).Distinct()];

    /// <summary>The current cores of every process, this one included.</summary>
    public IReadOnlyList<PinnedProcess> ReadCores() =>
    [
        .. _started.Where(server => server.IsRunning)
            .Select(server => new PinnedProcess(server.Name, string.Join(' ', ThreadMasks.Read(server.ProcessId)))),
        .. plan.Page is { } page ? [new PinnedProcess("browser", page.Cores)] : Array.Empty<PinnedProcess>(),
        new PinnedProcess("load", string.Join(' ', ThreadMasks.Read(Environment.ProcessId))),
    ];

    /// <summary>The resources of every running process, this one included.</summary>
    public IReadOnlyList<NamedUse> ReadUse() =>
    [
        .. _started.Where(server => server.IsRunning).Select(server => new NamedUse(server.Name, server.Use)),
        .. plan.Page is { } page ? [new NamedUse("browser", page.Use)] : Array.Empty<NamedUse>(),
        new NamedUse("load", ProcessUse.OfThisProcess()),
    ];

    /// <summary>Processes that are idle while an arm runs: not its servers, its queue, or part of the load.</summary>
    public IReadOnlyList<ChildServer> IdleBeside(RunningTarget arm) =>
    [
        .. _started.Except([.. arm.Servers.Processes, .. _load, .. ProxyProcesses])
            .Where(process => !ReferenceEquals(process, arm.Queue?.Process)),
    ];

    /// <summary>
    /// Starts the servers of an arm with the set-up of the scenario, or connects to the one that is already running, and starts the proxies
    /// in front of them.
    /// </summary>
    /// <param name="command">One server, without the settings of the scenario; null: it is already running.</param>
    /// <param name="first">The first server, if it differs from the others.</param>
    /// <exception cref="ChildException">One could not be started.</exception>
    public async Task<RunningTarget> OpenAsync(
        Arm arm, ChildCommand? command, CancellationToken stopping, bool hasStats = true, ChildCommand? first = null)
    {
        var setUp = plan.Scenario.SetUp(arm);
        var proxies = new List<FaultProxy>();
        var members = new List<GroupMember>();
        if (command is null)
            members.Add(await MemberAsync(arm.Name, plan.Options.AddressOf(arm)!, process: null));
        foreach (var one in command is null ? [] : ArmCommands.From(command, setUp, first).Select(one => one.Letting(plan.Page?.Origin)))
        {
            var process = await StartAsync(one, pinning.ServerCore, stopping);
            _servers.Add(process);
            members.Add(await MemberAsync(
                setUp.Servers == 1 ? setUp.NameFor(arm) : process.Name, process.Address, process));
        }

        return new RunningTarget(arm, Keep(new ServerGroup(members))) { Proxies = proxies, Page = plan.Page };

        async Task<GroupMember> MemberAsync(string name, Uri address, ChildServer? process)
        {
            var access = process is null ? plan.Options.Access : ServerAccess.None;
            var member = new GroupMember(
                name, await ClientTarget.ResolveAsync(address, access, stopping),
                hasStats ? new StatsReader(address, access.StatsToken) : null, process)
            { ReadUse = plan.Options.ProcessesElsewhere.TryGetValue(arm.Name, out var id) ? () => ProcessUse.Read(id) : null };
            var before = new List<ClientTarget>();
            var earlier = proxies.Count;
            if (plan.Scenario.IsTogether)
                proxies.AddRange(await StartProxiesAsync(address, plan.Scenario.Levels.Count, stopping));
            for (var left = FaultProxyProcess.CountFor(plan.Scenario.MaxUsers * setUp.ProxiedConnections); left > 0; left--)
                proxies.Add(await StartProxyAsync(address, stopping));
            foreach (var proxy in proxies.Skip(earlier))
                before.Add(await ClientTarget.ResolveAsync(proxy.Address, access, stopping));

            return before.Count == 0 ? member
                : setUp.ProxiedConnections > 1 ? member with { Publishers = before, Subscribers = before }
                : member with { Subscribers = before };
        }
    }

    /// <summary>Opens arms one after the other, in their order: the lists of what was started have one writer.</summary>
    /// <param name="commandOf">One server of an arm, without the settings of the scenario; null: it is already running.</param>
    /// <exception cref="ChildException">One could not be started; those after it were not tried.</exception>
    public async Task<IReadOnlyList<RunningTarget>> OpenAllAsync(
        IReadOnlyList<Arm> arms, Func<Arm, ChildCommand?> commandOf, CancellationToken stopping, bool hasStats = true)
    {
        var running = new List<RunningTarget>();
        foreach (var arm in arms)
            running.Add(await OpenAsync(arm, commandOf(arm), stopping, hasStats));
        return running;
    }

    /// <summary>Starts a process that servers need, such as a queue, on the load's core.</summary>
    public Task<ChildServer> StartBesideAsync(ChildCommand command, CancellationToken stopping) =>
        StartAsync(command, pinning.LoadCore, stopping);

    /// <summary>Starts a process that has a share of the clients, on the load's core.</summary>
    public async Task StartLoadAsync(ChildCommand command, CancellationToken stopping) =>
        _load.Add(await StartAsync(command, pinning.LoadCore, stopping));

    /// <summary>Starts a proxy in front of a process that is already listening.</summary>
    public async Task<FaultProxy> StartProxyAsync(Uri server, CancellationToken stopping) =>
        (await StartProxiesAsync(server, 1, stopping))[0];

    /// <summary>Registers work for the time between the stop of all servers under test and that of the other processes.</summary>
    public void AfterServers(Func<Task> work) => _afterServers.Add(work);

    /// <summary>Disposes it with the block.</summary>
    public T Keep<T>(T one)
        where T : IDisposable
    {
        _open.Add(one);
        return one;
    }

    public async ValueTask DisposeAsync()
    {
        _open.ForEach(one => one.Dispose());
        // Servers stop before their queues, which must not be polled while they are deleted. All at once: each waits for its polls.
        await Task.WhenAll(_servers.Select(server => server.StopAsync()));
        foreach (var server in _servers)
            await StopAsync(server);
        foreach (var work in _afterServers)
            await work();
        foreach (var process in Enumerable.Reverse(_started).ToList())
            await StopAsync(process);
        foreach (var proxy in _proxies)
            await proxy.DisposeAsync();
    }

    private async Task<ChildServer> StartAsync(ChildCommand command, int? core, CancellationToken stopping)
    {
        var server = await ChildServer.StartAsync(command, Options(core), stopping);
        _started.Add(server);
        events.Add("started", server.Name, $"process {server.ProcessId} at {server.Address}");
        return server;
    }

    // Of one process, which goes by its first.
    private async Task<IReadOnlyList<FaultProxy>> StartProxiesAsync(Uri server, int count, CancellationToken stopping)
    {
        var proxies = await FaultProxy.StartSeveralAsync(
            server, FaultProxyProcess.MaxConnections, count, Options(pinning.LoadCore), stopping);
        var process = proxies[0].Process;
        _started.Add(process);
        _proxies.AddRange(proxies);
        events.Add(
            "started", process.Name,
            $"process {process.ProcessId} at {string.Join(", ", proxies.Select(proxy => proxy.Address))}, before {server}");
        return proxies;
    }

    private async Task StopAsync(ChildServer server)
    {
        if (!_started.Remove(server))
            return;
        var exit = await server.StopAsync();
        await server.DisposeAsync();
        events.Add("stopped", server.Name, $"{exit.AsAsked}");
    }

    private ChildOptions Options(int? core) => new() { Core = core, StartTimeout = StartTimeout, StopTimeout = StopTimeout, Time = time };
}

/// <summary>The parts of a block.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Queue">The name of its queue, if it has one.</param>
public sealed record BlockPlan(Scenario Scenario, TargetOptions Options, int Number, string Queue)
{
    /// <summary>The page that has the clients; null: this program has them.</summary>
    public BrowserPage? Page { get; init; }
}

/// <summary>The commands that start the servers of an arm.</summary>
public static class ArmCommands
{
    // A variable, which programs without the setting ignore.
    private const string Origins = "Access__Origins";

    /// <summary>The same, with pages of this origin let in; null: of its own only.</summary>
    public static ChildCommand Letting(this ChildCommand server, string? origin) => origin is null ? server : server with
    {
        Environment = (server.Environment ?? new Dictionary<string, string>()).Append(new(Origins, origin)).ToDictionary(),
    };

    /// <summary>One server, or several that share its work, named <c>SERVER-1</c> and so on.</summary>
    /// <param name="server">One server, without the settings of the scenario.</param>
    /// <param name="first">The first server, if it differs from the others.</param>
    public static IReadOnlyList<ChildCommand> From(ChildCommand server, ServerSetUp setUp, ChildCommand? first = null)
    {
        return [.. Enumerable.Range(1, setUp.Servers).Select(number => SetUp(number == 1 ? first ?? server : server, number))];

        ChildCommand SetUp(ChildCommand one, int number) => one with
        {
            Name = setUp.Servers == 1 ? one.Name : Invariant($"{one.Name}-{number}"),
            Assembly = setUp.Programs is { } folder ? ServerProgram.In(folder, one.Assembly) : one.Assembly,
            Arguments = [.. one.Arguments, .. setUp.Settings.SelectMany(setting => new[] { $"--{setting.Key}", setting.Value })],
            Environment = (one.Environment ?? new Dictionary<string, string>()).Concat(setUp.Environment).ToDictionary(),
        };
    }
}

/// <summary>Writes events.csv with times from the start of the run.</summary>
/// <param name="writer">The record; null: nothing is recorded.</param>
/// <param name="started">UTC start of the run, which for a resumed run was before this process.</param>
public sealed class EventLog(RecordWriter? writer, DateTimeOffset started, TimeProvider time)
{
    private readonly TimeSpan _before = time.GetUtcNow() - started;
    private readonly long _here = time.GetTimestamp();

    private readonly List<EventRow> _queuesLeft = [];

    // Faults may add some while a trial runs.
    private readonly ConcurrentQueue<EventRow> _notTaken = [];

    /// <summary>Queues that could not be deleted.</summary>
    public IReadOnlyList<EventRow> QueuesLeft => _queuesLeft;

    /// <summary>From the start of the run.</summary>
    public TimeSpan Now => _before + time.GetElapsedTime(_here);

    public void Add(string kind, string target, FormattableString detail) => Write(kind, target, detail);

    public void AddQueueLeft(string name, string why, string advice) =>
        _queuesLeft.Add(Write("queue-not-deleted", name, $"{why} {advice}"));

    /// <summary>What was added since the last call.</summary>
    public IReadOnlyList<EventRow> TakeNew()
    {
        var taken = new List<EventRow>();
        while (_notTaken.TryDequeue(out var row))
            taken.Add(row);
        return taken;
    }

    private EventRow Write(string kind, string target, FormattableString detail)
    {
        var row = new EventRow(Now, kind, target, detail.ToString(CultureInfo.InvariantCulture));
        writer?.Add(row);
        _notTaken.Enqueue(row);
        return row;
    }
}
