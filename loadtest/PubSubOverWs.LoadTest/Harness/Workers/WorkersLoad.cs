using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>
/// The load of one trial whose clients are in load processes: it gives the orders, which are its only sends, and merges what they saw.
/// </summary>
public abstract class WorkersLoad : ILoad
{
    // For an order to come to all of them.
    private static readonly TimeSpan OrderTime = TimeSpan.FromMilliseconds(100);

    // For their clocks to be read before.
    private static readonly TimeSpan JoinedOrderTime = TimeSpan.FromSeconds(2);

    private readonly IReadOnlyList<TimeSpan> _moments;
    private volatile bool _failed;

    /// <param name="plan">Of the workload: what each process gets, as JSON.</param>
    /// <param name="experiment">Whose workload it is.</param>
    /// <param name="servers">Where clients connect.</param>
    /// <param name="workers">One for each share of the clients.</param>
    /// <param name="clients">Of all of them.</param>
    /// <param name="moments">
    /// When the run itself has something to do meanwhile (<see cref="Send"/>), after the first message is due: one or more, ascending, and
    /// the last not before the last message is due.
    /// </param>
    protected WorkersLoad(
        object plan, string experiment, ServerGroup servers, IReadOnlyList<LoadWorker> workers, int clients,
        IReadOnlyList<TimeSpan> moments)
    {
        _moments = moments;
        Lead = workers.Any(worker => worker.HasOwnClock) ? JoinedOrderTime : OrderTime;
        var addresses = ServerAddress.From(servers);
        Waiting = new Countdown(workers.Count);
        Parts =
        [
            .. from worker in workers
               let limits = WorkerLimits.For(clients / workers.Count + 1, worker.Share.ConnectsUnderWay, Lead + moments[^1])
               select new WorkerClients(
                   this, worker,
                   clock => new EnterOrder(
                       experiment, JsonSerializer.SerializeToElement(PlanBy(plan, clock), WorkerOrders.Json), worker.Share, addresses),
                   limits),
        ];
    }

    public IReadOnlyList<IParticipant> Participants => Parts;

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace)
    {
        // What takes longer has been said to by then.
        Stop = TimeSpan.FromMinutes(1),
        Leave = TimeSpan.FromMinutes(1),
    };

    public TimeSpan Lead { get; }

    /// <summary>The moments at which the run itself has something to do.</summary>
    public long Sends => _moments.Count;

    /// <summary>After the due time; later messages are late.</summary>
    protected abstract TimeSpan Deadline { get; }

    protected IReadOnlyList<WorkerClients> Parts { get; }

    public void Begin(long firstDue)
    {
        foreach (var part in Parts)
            part.Begin(firstDue);
    }

    // Nothing is waited for once a process has failed.
    public TimeSpan DueAt(long send) => _failed ? TimeSpan.Zero : _moments[(int)send];

    public virtual void Send(long send)
    {
    }

    public abstract Observed Observe(long start, long firstDue);

    /// <summary>What the clients of all processes have seen.</summary>
    /// <typeparam name="TAccount">As which each process hands back what its clients have seen.</typeparam>
    /// <param name="merge">Takes that of one process, whose share of the clients it is, with stamps of its clock.</param>
    /// <param name="observe">Called once all are merged.</param>
    /// <exception cref="ChildException">What a process says of its clients is not of this iteration.</exception>
    protected Observed Observe<TAccount>(Action<TAccount, LoadShare, WorkerClock> merge, Func<Observed> observe)
        where TAccount : class
    {
        foreach (var part in Parts)
            Merge(part, merge);
        return observe() with
        {
            Connected = Parts.Sum(part => part.Connected),
            ClientCollections = Parts.Sum(part => part.Left.Collections),
            Clocks = [.. Parts.Where(part => part.Worker.HasOwnClock).Select(part => (part.Worker.ProcessName, part.Clock))],
            LatenciesCrossClocks = CrossesProcesses,
        };
    }

    /// <summary>Messages go from clients of one process to clients of another.</summary>
    protected virtual bool CrossesProcesses => true;

    /// <summary>The plan as one process gets it.</summary>
    /// <param name="clock">Of the process; null: that of the run.</param>
    protected virtual object PlanBy(object plan, ClockReading? clock) => plan;

    private static void Merge<TAccount>(WorkerClients part, Action<TAccount, LoadShare, WorkerClock> merge)
        where TAccount : class
    {
        try
        {
            merge(
                part.Left.Account.Deserialize<TAccount>(WorkerOrders.Json) ?? throw new InvalidDataException("it is null"),
                part.Worker.Share, part.Clock);
        }
        catch (Exception error) when (error is JsonException or InvalidDataException)
        {
            throw part.Worker.Unusable(WorkerOrders.Leave, error.Message);
        }
    }

    /// <summary>A process has sent all that it was to send, or has given up. From any thread.</summary>
    public virtual void Sent()
    {
    }

    /// <summary>
    /// A process has ended, does not answer, or answers with something else: nothing more is asked of the others. From any thread.
    /// </summary>
    public void Failed()
    {
        _failed = true;
        foreach (var part in Parts)
        {
            part.Abort();
            Waiting.Signal();
        }
    }
}
