using System.Text.Json;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Workloads.Workers;

/// <summary>
/// The load of one trial whose clients are in load processes: it gives the orders, which are its only sends, and merges what they saw.
/// </summary>
public abstract class WorkersLoad : ILoad
{
    // For an order to come to all of them.
    private static readonly TimeSpan OrderTime = TimeSpan.FromMilliseconds(100);

    private readonly TimeSpan _lastDue;
    private volatile bool _failed;

    /// <param name="plan">Of the workload: what each process gets, as JSON.</param>
    /// <param name="experiment">Whose workload it is.</param>
    /// <param name="servers">Where clients connect.</param>
    /// <param name="workers">One for each share of the clients.</param>
    /// <param name="clients">Of all of them.</param>
    /// <param name="lastDue">When the last message is due, after the first.</param>
    protected WorkersLoad(
        object plan, string experiment, ServerGroup servers, IReadOnlyList<LoadWorker> workers, int clients, TimeSpan lastDue)
    {
        _lastDue = lastDue;
        var (json, addresses) = (JsonSerializer.SerializeToElement(plan, WorkerOrders.Json), ServerAddress.Of(servers));
        Waiting = new Countdown(workers.Count);
        Parts =
        [
            .. from worker in workers
               let limits = WorkerLimits.For(clients / workers.Count + 1, worker.Share.ConnectsUnderWay, OrderTime + lastDue)
               select new WorkerClients(this, worker, new EnterOrder(experiment, json, worker.Share, addresses), limits),
        ];
    }

    public IReadOnlyList<IParticipant> Participants => Parts;

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace)
    {
        // What takes longer has been said to by then.
        Leave = TimeSpan.FromMinutes(1),
    };

    public TimeSpan Lead => OrderTime;

    /// <summary>Two, for what the run itself does meanwhile: when counting begins, and when the last message is due.</summary>
    public long Sends => 2;

    /// <summary>After the due time; later messages are late.</summary>
    protected abstract TimeSpan Deadline { get; }

    /// <summary>When counting begins, after the first message is due.</summary>
    protected abstract TimeSpan CountedFrom { get; }

    protected IReadOnlyList<WorkerClients> Parts { get; }

    public void Begin(long firstDue)
    {
        foreach (var part in Parts)
            part.Begin(firstDue);
    }

    // Nothing is waited for once a process has failed.
    public TimeSpan DueAt(long send) => _failed ? TimeSpan.Zero : send == 0 ? CountedFrom : _lastDue;

    public abstract void Send(long send);

    public abstract Observed Observe(long start, long firstDue);

    /// <summary>A process has sent all that it was to send, or has given up. From any thread.</summary>
    public abstract void Sent();

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
