using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.LoadTest.Faults;
using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What befalls each turn of a block.</summary>
public sealed class Plays(RunJob job, Fleet fleet, EventLog events, TimeProvider time)
{
    /// <summary>The same moments for all arms of an iteration; what is done to the queue is done to an arm that has one.</summary>
    public FaultPlay Of(Turn turn)
    {
        var scenario = job.Scenario;
        var servers = fleet.ServersOf(turn.Arm);
        var hasQueue = Arms.ServerOf(turn.Arm) == Arms.PubSub;
        var moments = FaultTimeline.For(scenario.Fault, scenario.Seed, turn.Iteration, scenario.Arrival.Spread);
        var scene = new FaultScene
        {
            Arm = turn.Arm,
            Iteration = turn.Iteration,
            Seed = Draws.SeedOf(scenario.Seed, turn.Iteration),
            Toxics = FaultToxics.Of(scenario.Fault),
            Ways = [.. job.AddressesOf(turn.Arm, servers).SelectMany(fleet.WaysTo)],
            Servers = servers,
            Queue = hasQueue ? QueueOf(turn.Arm) : null,
            Time = time,
            Tell = (kind, target, detail) => events.Add(kind, target, $"{detail}"),
        };
        return new FaultPlay(
            [.. moments.Where(moment => hasQueue || moment.Deed is FaultDeed.KillServer or FaultDeed.StopServer)], scenario.Arrival.Spread,
            scene, time);
    }

    private QueueScene? QueueOf(string arm) => fleet is { QueueWay: { } way, LocalSqs: { } process } && fleet.QueueOf(arm) is { } queue
        ? new QueueScene(way, process, new QueueCopy(queue.Sqs, queue.Name))
        : null;
}
