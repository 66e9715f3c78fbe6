using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;

/// <summary>
/// All connections, which load processes have: the run reads what the servers take, and merges what the processes have seen.
/// </summary>
/// <param name="plan">Of the iteration.</param>
/// <param name="workers">One for each share.</param>
/// <param name="servers">Where clients connect, spread evenly.</param>
/// <param name="readings">Of what the servers take.</param>
public sealed class IdleConnectionsLoad(
    IdleConnectionsScenario scenario, IdleConnectionsPlan plan, IReadOnlyList<LoadWorker> workers, ServerGroup servers,
    ServerReadings readings)
    : WorkersLoad(
        plan, scenario.Kind.Name, servers, workers, plan.Connections + 1,
        [scenario.Settle, scenario.Settle + scenario.Idle, plan.DueAt(plan.Topic.Messages)])
{
    protected override TimeSpan Deadline => plan.Deadline;

    public override void Send(long send) => readings.Take();

    public override void Sent()
    {
    }

    public override Observed Observe(long start, long firstDue)
    {
        var seen = new IdleConnectionsSeen(plan);
        return Observe<IdleConnectionsAccount>(seen.Merge, () => seen.Observe(scenario.Flows[0], readings, start, firstDue));
    }
}
