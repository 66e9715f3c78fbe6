using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What one block runs on: every arm of its scenario, and the null echo. Whatever ends the block, nothing of it stays.</summary>
public sealed class Deployment : IAsyncDisposable
{
    private readonly Dictionary<string, RunningTarget> _arms = [];
    private readonly BlockProcesses _processes;

    private Deployment(BlockProcesses processes) => _processes = processes;

    /// <summary>A process that ended without being asked to; null: all are alive.</summary>
    public ChildServer? Dead => _processes.Dead;

    /// <summary>What the trials of an arm are run against.</summary>
    public RunningTarget this[Arm arm]
    {
        get
        {
            var running = _arms[arm.Name];
            return running with { Idle = _processes.IdleBeside(running), ProxyProcesses = _processes.ProxyProcesses };
        }
    }

    /// <exception cref="ChildException">A process could not be started; those that were are stopped again.</exception>
    public static async Task<Deployment> StartAsync(
        RunJob job, PinningPlan pinning, int block, string queue, EventLog events, TimeProvider time, CancellationToken stopping)
    {
        var plan = new BlockPlan(job.Scenario, job.Request, block, queue);
        var deployment = new Deployment(new BlockProcesses(plan, pinning, events, time));
        try
        {
            foreach (var (target, use) in job.Targets.Where(one => one.Use.IsRun))
            {
                var sharing = use.Arms.ToLookup(arm => job.Scenario.SetUp(arm).SharedAs ?? arm.Name);
                foreach (var running in await target.StartAsync([.. sharing.Select(arms => arms.First())], deployment._processes, stopping))
                {
                    foreach (var arm in sharing.Single(arms => arms.Contains(running.Arm)))
                        deployment._arms[arm.Name] = running with { Arm = arm };
                }
            }

            return deployment;
        }
        catch
        {
            await deployment.DisposeAsync();
            throw;
        }
    }

    /// <summary>True: it is a queue, and not a server under test.</summary>
    public bool IsQueue(ChildServer process) => _arms.Values.Any(arm => arm.Queue?.Process == process);

    /// <summary>The cores on which each process and this one are found now.</summary>
    public IReadOnlyList<PinnedProcess> ReadCores() => _processes.ReadCores();

    /// <summary>Calls to the queues in this block so far; null: it is not known of one.</summary>
    public async Task<long?> QueueCallsAsync(CancellationToken cancellationToken)
    {
        long? calls = 0;
        foreach (var queue in _arms.Values.Select(arm => arm.Queue).OfType<QueueBehind>())
            calls += await queue.CallsAsync(cancellationToken);
        return calls;
    }

    public ValueTask DisposeAsync() => _processes.DisposeAsync();
}
