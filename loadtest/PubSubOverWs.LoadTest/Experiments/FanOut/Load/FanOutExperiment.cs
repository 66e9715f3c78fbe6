using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.FanOut.Load;

/// <summary>Publishers send to one topic, in turn, and every subscriber is meant to get every message.</summary>
public sealed class FanOutExperiment : Experiment, ISharedLoad
{
    public override ScenarioKind Kind => FanOutScenario.Experiment;

    public override Analysis Analysis => FanOutAnalysis.Analysis;

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers) =>
        new FanOutLoad(Plan((FanOutScenario)scenario, trial, run), servers);

    public ILoad Load(
        Scenario scenario, Trial trial, string run, ServerGroup servers, IReadOnlyList<ILoadProcess> processes, TimeProvider time) =>
        new FanOutWorkers(
            Plan((FanOutScenario)scenario, trial, run), Kind.Name, LoadWorker.All(processes, time), servers);

    public IShareOfLoad Share(JsonElement plan, LoadShare share, ServerGroup servers) => new FanOutClients(
        WorkerOrders.ReadPlan<FanOutPlan>(plan), share, servers);

    private static FanOutPlan Plan(FanOutScenario fanOut, Trial trial, string run) => new(
        $"{run}-{trial.Iteration}", FanOutScenario.SubscribersAt(trial.Level), fanOut.Publishers, (int)fanOut.Sends(trial.Level),
        fanOut.Arrivals, fanOut.PayloadBytes, fanOut.Receipts, fanOut.Deadline);
}

/// <summary>One iteration.</summary>
/// <param name="Name">Distinguishes its messages and its topic from those of any other that meets the same server.</param>
/// <param name="Subscribers">1 or more.</param>
/// <param name="Publishers">1 or more; they send in turn.</param>
/// <param name="Messages">Of all publishers together: 1 or more.</param>
/// <param name="Arrival">When they are due.</param>
/// <param name="PayloadBytes">Of each body.</param>
/// <param name="Receipts">Asks for a receipt of each SEND.</param>
/// <param name="Deadline">From due; what comes later is late.</param>
public sealed record FanOutPlan(
    string Name, int Subscribers, int Publishers, int Messages, Arrival Arrival, int PayloadBytes, bool Receipts, TimeSpan Deadline)
{
    /// <summary>What is published.</summary>
    public TopicPlan Topic => new(Name, Publishers, Messages, PayloadBytes, Receipts);

    /// <summary>When a message is due, from the first due.</summary>
    /// <param name="message">From 0.</param>
    public TimeSpan DueAt(long message) => Arrival.DueAt(message, Messages);
}
