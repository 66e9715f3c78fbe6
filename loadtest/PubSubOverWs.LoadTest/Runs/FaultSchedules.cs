using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.LoadTest.Faults;
using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What happens in each trial of a block.</summary>
public sealed class FaultSchedules(RunJob job, Deployment deployment, EventLog events, TimeProvider time)
{
    /// <summary>The same moments for all arms of an iteration; what is done to the queue is done to an arm that has one.</summary>
    public FaultSchedule Of(Trial trial)
    {
        var scenario = job.Scenario;
        var servers = deployment.ServersOf(trial.Arm);
        var hasQueue = trial.Arm.HasQueue;
        var moments = FaultTimeline.For(scenario.Fault, scenario.Seed, trial.Iteration, scenario.Arrivals.Spread);
        var scene = new FaultInjector
        {
            Arm = trial.Arm.Name,
            Iteration = trial.Iteration,
            Seed = Draws.SeedOf(scenario.Seed, trial.Iteration),
            Toxics = FaultToxics.Of(scenario.Fault),
            Ways = [.. job.AddressesOf(trial.Arm, servers).SelectMany(deployment.WaysTo)],
            Servers = servers,
            Queue = hasQueue ? QueueOf(trial.Arm) : null,
            Time = time,
            Tell = (kind, target, detail) => events.Add(kind, target, $"{detail}"),
        };
        return new FaultSchedule(
            [.. moments.Where(moment => hasQueue || moment.Kind is FaultActionKind.KillServer or FaultActionKind.StopServer)],
            scenario.Arrivals.Spread,
            scene, time);
    }

    private QueueScene? QueueOf(
        Arm arm) => deployment is { QueueWay: { } way, LocalSqs: { } process } && deployment.QueueOf(arm) is { } queue
        ? new QueueScene(way, process, new QueueCopy(queue.Sqs, queue.Name))
        : null;
}
