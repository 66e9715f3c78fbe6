using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Faults;
using PubSubOverWs.LoadTest.Network.Toxics;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What happens in each trial of a block.</summary>
public sealed class FaultSchedules(RunJob job, Deployment deployment, EventLog events, TimeProvider time)
{
    /// <summary>The schedule of a trial; null: nothing is done from outside.</summary>
    public FaultSchedule? Of(Trial trial)
    {
        if (job.Scenario.Plan(trial) is not { } plan)
            return null;
        var target = deployment[trial.Arm];
        var scene = new FaultInjector
        {
            Arm = trial.Arm.Name,
            Iteration = trial.Iteration,
            Seed = Draws.SeedOf(job.Scenario.Seed, trial.Iteration),
            Toxics = NetworkToxics.Of(plan.Network),
            Ways = target.Ways,
            Servers = target.Servers.Processes,
            Queue = target.Queue is { Way: { } way, Process: { } process, Made: { } queue }
                ? new QueueScene(way, process, new QueueCopy(queue.Sqs, queue.Name)) { Topics = target.Queue.TopicsWay }
                : null,
            Time = time,
            Tell = (kind, name, detail) => events.Add(kind, name, $"{detail}"),
        };
        return new FaultSchedule(plan.Actions, plan.Lasts, scene, time);
    }
}
