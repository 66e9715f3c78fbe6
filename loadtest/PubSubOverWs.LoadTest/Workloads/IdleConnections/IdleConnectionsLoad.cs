using System.Text.Json;
using PubSubOverWs.Experiment.Experiments.IdleConnections;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets;
using PubSubOverWs.LoadTest.Workloads.Workers;

namespace PubSubOverWs.LoadTest.Workloads.IdleConnections;

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

    /// <exception cref="ChildException">What a process says of its clients is not of this iteration.</exception>
    public override Observed Observe(long start, long firstDue)
    {
        var seen = new IdleConnectionsSeen(plan);
        foreach (var part in Parts)
            Merge(seen, part);
        return seen.Observe(scenario.Flows[0], readings, start, firstDue) with
        {
            Connected = Parts.Sum(part => part.Connected),
            ClientCollections = Parts.Sum(part => part.Left.Collections),
        };
    }

    private static void Merge(IdleConnectionsSeen seen, WorkerClients part)
    {
        try
        {
            seen.Merge(
                part.Left.Account.Deserialize<IdleConnectionsAccount>(WorkerOrders.Json) ?? throw new InvalidDataException("it is null"),
                part.Worker.Share);
        }
        catch (Exception error) when (error is JsonException or InvalidDataException)
        {
            throw part.Worker.Unusable(WorkerOrders.Leave, error.Message);
        }
    }
}
