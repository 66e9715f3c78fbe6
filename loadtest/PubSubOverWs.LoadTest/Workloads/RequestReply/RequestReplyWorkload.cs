using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.RequestReply;
using PubSubOverWs.LoadTest.Targets;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Workloads.RequestReply;

/// <summary>Users send requests to providers, which answer.</summary>
public sealed class RequestReplyWorkload : IWorkload
{
    public ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        var asked = (RequestReplyScenario)scenario;
        return new RequestReplyLoad(
            new RequestReplyPlan(
                Invariant($"{run}-{trial.Iteration}"), asked.Users, asked.Providers, trial.Level.Number, (int)asked.Sends(trial.Level),
                (int)asked.Settling(trial.Level), asked.RequestBytes, asked.ReplyBytes, asked.Deadline,
                SplitMix64.At((ulong)asked.Seed, (ulong)trial.Iteration)),
            asked.Flows, servers);
    }
}
