using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Faults;
using PubSubOverWs.LoadTest.Network.Toxics;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The fault schedules of the trials of a block.</summary>
public sealed class FaultSchedules(RunJob job, Deployment deployment, EventLog events, TimeProvider time)
{
    /// <summary>The schedule of a trial; null: it has none.</summary>
    public FaultSchedule? Of(Trial trial)
    {
        if (job.Scenario.Plan(trial) is not { } plan)
            return null;
        var target = deployment[trial.Arm];
        var injector = new FaultInjector
        {
            Arm = trial.Arm.Name,
            Iteration = trial.Iteration,
            Seed = Draws.SeedOf(job.Scenario.Seed, trial.Iteration),
            Toxics = NetworkToxics.Of(plan.Network),
            Proxies = target.Proxies,
            Servers = target.Servers.Processes,
            Queue = target.Queue is { Proxy: { } proxy, Process: { } process, Made: { } queue }
                ? new QueueFaultTarget(proxy, process, new QueueCopy(queue.Sqs, queue.Name)) { TopicsProxy = target.Queue.TopicsProxy }
                : null,
            Time = time,
            OnEvent = (kind, name, detail) => events.Add(kind, name, $"{detail}"),
        };
        return new FaultSchedule(plan.Actions, plan.Lasts, injector, time);
    }
}
