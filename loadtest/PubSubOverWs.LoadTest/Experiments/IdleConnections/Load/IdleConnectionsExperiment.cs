using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;

/// <summary>Connections in several load processes subscribe to one topic, are idle, and then get a few messages.</summary>
public sealed class IdleConnectionsExperiment : Experiment, ISharedLoad
{
    public override ScenarioKind Kind => IdleConnectionsScenario.Experiment;

    public override Analysis Analysis => IdleConnectionsAnalysis.Analysis;

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers) =>
        throw new InvalidOperationException("The clients of this experiment are always in load processes.");

    public ILoad Load(
        Scenario scenario, Trial trial, string run, ServerGroup servers, IReadOnlyList<ILoadProcess> processes, TimeProvider time) =>
        new IdleConnectionsLoad(
            (IdleConnectionsScenario)scenario, PlanOf((IdleConnectionsScenario)scenario, trial, run),
            LoadWorker.All(processes, time), servers,
            new ServerReadings(servers, processes));

    public IShareOfLoad Share(JsonElement plan, LoadShare share, ServerGroup servers) => new IdleConnectionsClients(
        WorkerOrders.ReadPlan<IdleConnectionsPlan>(plan), share, servers);

    public override IReadOnlyDictionary<string, double?> Measures(TrialOutcome outcome) =>
        new Dictionary<string, double?>(outcome.Measured.Measures)
        {
            [IdleConnectionsScenario.Connects.Name] = outcome.Row.Connections / outcome.Row.Connect.TotalSeconds,
        };

    private static IdleConnectionsPlan PlanOf(IdleConnectionsScenario scenario, Trial trial, string run) => new(
        new TopicPlan($"{run}-{trial.Iteration}", Publishers: 1, scenario.Messages, scenario.PayloadBytes, scenario.Receipts),
        trial.Level.Number, scenario.FirstDue, scenario.Every, scenario.Deadline);
}

/// <summary>One iteration.</summary>
/// <param name="Topic">Of all connections.</param>
/// <param name="Connections">Subscribers: 2 or more.</param>
/// <param name="Quiet">From when all have subscribed until the first message is due.</param>
/// <param name="Every">From a message to the next.</param>
/// <param name="Deadline">From due; what comes later is late.</param>
public sealed record IdleConnectionsPlan(TopicPlan Topic, int Connections, TimeSpan Quiet, TimeSpan Every, TimeSpan Deadline)
{
    /// <summary>When a message is due, after all have subscribed.</summary>
    /// <param name="message">From 0.</param>
    public TimeSpan DueAt(long message) => Quiet + (Every * message);
}
