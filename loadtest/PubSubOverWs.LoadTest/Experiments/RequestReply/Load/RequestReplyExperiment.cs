using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>Users send requests to providers, which answer.</summary>
public sealed class RequestReplyExperiment : Experiment, ISharedLoad
{
    public override ScenarioKind Kind => RequestReplyScenario.Experiment;

    public override Analysis Analysis => RequestReplyAnalysis.Analysis;

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        var asked = (RequestReplyScenario)scenario;
        return new RequestReplyLoad(PlanOf(asked, trial, run), asked.Flows, servers);
    }

    public ILoad Load(
        Scenario scenario, Trial trial, string run, ServerGroup servers, IReadOnlyList<ILoadProcess> processes, TimeProvider time)
    {
        var asked = (RequestReplyScenario)scenario;
        return new RequestReplyWorkers(
            asked, new RequestReplyOrder(PlanOf(asked, trial, run), Stopwatch.GetTimestamp()),
            LoadWorker.All(processes, time), servers, new SteadyTime(servers, processes));
    }

    public IShareOfLoad Share(JsonElement plan, LoadShare share, ServerGroup servers)
    {
        var order = WorkerOrders.ReadPlan<RequestReplyOrder>(plan);
        return new RequestReplyClients(order.Plan, share, servers, new RequestLog(order.Plan.Requests, order.Origin));
    }

    private static RequestReplyPlan PlanOf(RequestReplyScenario asked, Trial trial, string run) => new(
        Invariant($"{run}-{trial.Iteration}"), asked.Users, asked.Providers, trial.Level.Number, (int)asked.Sends(trial.Level),
        (int)asked.Settling(trial.Level), asked.RequestBytes, asked.ReplyBytes, asked.Deadline,
        SplitMix64.At((ulong)asked.Seed, (ulong)trial.Iteration));
}
