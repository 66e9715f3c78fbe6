using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What a fault asks of the servers and the queue of a run, refused in one sentence before anything is looked up.</summary>
public static class FaultRunRules
{
    /// <exception cref="RefusalException">The run has no process that this could be done to.</exception>
    public static void Check(RunRequest request, RelayScenario scenario)
    {
        var fault = scenario.Fault;
        Demand(scenario.FindArm(Arms.Buffered) is null || request.Direct is null,
            $"The arm {Arms.Buffered} is a direct server that the run starts: leave --direct away, or {Arms.Buffered}.");
        Demand(!fault.NeedsOwnServers || request.OwnServersOnly,
            $"The fault {fault.Profile} is done to servers that the run starts, or to their queue: leave --direct and --pubsub away.");
        Demand(!fault.NeedsEmbeddedQueue || request.Queue is EmbeddedTarget,
            $"The fault {fault.Profile} is done to the queue, and only LocalSqs is the run's own: leave --sqs and --sqs-endpoint away.");
    }

    private static void Demand(bool holds, string otherwise)
    {
        if (!holds)
            throw new RefusalException(ExitCode.BadUsage, otherwise);
    }
}
