using System.Runtime.InteropServices;
using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>The running arms of one block, with the null echo. All of it is stopped when the block ends, for whatever reason.</summary>
public sealed class Deployment : IAsyncDisposable
{
    private const string BrowserName = "browser";

    private readonly Dictionary<string, RunningTarget> _arms = [];
    private readonly BlockProcesses _processes;
    private readonly BrowserPage? _page;
    private readonly EventLog _events;

    private IReadOnlyList<ILoadProcess> _load = [];

    private readonly PosixSignalRegistration? _continued;
    private volatile bool _wasContinued;

    private Deployment(BlockProcesses processes, BrowserPage? page, EventLog events)
    {
        _processes = processes;
        _page = page;
        _events = events;
        // A process that is stopped learns of it when it goes on.
        if (!OperatingSystem.IsWindows())
            _continued = PosixSignalRegistration.Create(PosixSignal.SIGCONT, _ => _wasContinued = true);
    }

    /// <summary>The browser that has the clients; null: this program has them.</summary>
    public BrowserRecord? Browser => _page?.Facts;

    /// <summary>A process that ended unexpectedly; null: all are running.</summary>
    public ChildServer? Dead => _processes.Dead;

    /// <summary>The servers and processes that the trials of an arm use.</summary>
    public RunningTarget this[Arm arm]
    {
        get
        {
            var running = _arms[arm.Name];
            return running with
            {
                Idle = _processes.IdleBeside(running),
                ProxyProcesses = _processes.ProxyProcesses,
                LoadProcesses = _load,
            };
        }
    }

    /// <exception cref="ChildException">A process could not be started; the others are stopped again.</exception>
    public static async Task<Deployment> StartAsync(
        RunJob job, PinningPlan pinning, int block, string queue, EventLog events, TimeProvider time, CancellationToken stopping)
    {
        var page = job.Request.Client == ClientKind.Browser ? await BrowserPage.StartAsync(pinning.LoadCore, time, stopping) : null;
        if (page is not null)
            events.Add("started", BrowserName, $"process {page.ProcessId} at {page.Origin}");
        var plan = new BlockPlan(job.Scenario, job.Request, block, queue) { Page = page };
        var deployment = new Deployment(new BlockProcesses(plan, pinning, events, time), page, events);
        try
        {
            foreach (var (target, use) in job.Targets.Where(one => one.Use.IsRun))
            {
                var sharing = use.Arms.ToLookup(arm => job.Scenario.SetUp(arm).NameFor(arm));
                foreach (var running in await target.StartAsync([.. sharing.Select(arms => arms.First())], deployment._processes, stopping))
                {
                    foreach (var arm in sharing.Single(arms => arms.Contains(running.Arm)))
                        deployment._arms[arm.Name] = running with { Arm = arm };
                }
            }

            if (job.Joined.Count == 0)
            {
                foreach (var command in WorkerProgram.Commands(job.Scenario.Workers))
                    await deployment._processes.StartLoadAsync(command, stopping);
            }
            deployment._load = job.Joined.Count > 0
                ? job.Joined
                : [.. deployment._processes.LoadProcesses.Select(process => new StartedWorker(process))];
            foreach (var arm in deployment._arms.Values)
                arm.Servers.ReadBefore();
            return deployment;
        }
        catch
        {
            await deployment.DisposeAsync();
            throw;
        }
    }

    /// <summary>The process that a signal stopped since the last call, in one sentence; null: none, or on Windows.</summary>
    /// <param name="hasFaults">Servers and queues may be stopped by order.</param>
    public string? TakeStandstill(bool hasFaults)
    {
        var wasContinued = _wasContinued;
        _wasContinued = false;
        var stopped = _processes.TakeStopped().FirstOrDefault(
            one => !hasFaults || IsLoad(one) || _processes.ProxyProcesses.Contains(one));
        var name = stopped is not null ? $"{stopped.Name} {(IsLoad(stopped) ? "process" : "server")}" : wasContinued ? "load runner" : null;
        return name is null ? null : $"A signal stopped the {name} for some time, in which it did nothing.";
    }

    /// <summary>True for a queue, false for a server under test or a load process.</summary>
    public bool IsQueue(ChildServer process) => _arms.Values.Any(arm => ReferenceEquals(arm.Queue?.Process, process));

    /// <summary>True for a process that has clients.</summary>
    public bool IsLoad(ChildServer process) => _processes.LoadProcesses.Contains(process);

    /// <summary>The current cores of every process, this one included.</summary>
    public IReadOnlyList<PinnedProcess> ReadCores() => _processes.ReadCores();

    /// <summary>The resources of every running process, this one included.</summary>
    public IReadOnlyList<NamedUse> ReadUse() => _processes.ReadUse();

    /// <summary>Calls to the queues in this block so far; null: unknown for at least one.</summary>
    public async Task<long?> QueueCallsAsync(CancellationToken cancellationToken)
    {
        long? calls = 0;
        foreach (var queue in _arms.Values.Select(arm => arm.Queue).OfType<QueueBehind>())
            calls += await queue.CallsAsync(cancellationToken);
        return calls;
    }

    public async ValueTask DisposeAsync()
    {
        _continued?.Dispose();
        if (_page is not null)
        {
            await _page.DisposeAsync();
            _events.Add("stopped", BrowserName, $"killed, and its profile deleted");
        }

        await _processes.DisposeAsync();
    }
}
