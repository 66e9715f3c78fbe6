using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>What an iteration is run against.</summary>
/// <param name="Servers">Where its users connect.</param>
/// <param name="Drain">How the queue is shown to be empty; null: there is none.</param>
/// <param name="Queue">The queue's process; null: this run did not start it, or the arm does not use one.</param>
/// <param name="Idle">Servers of this run that wait for their turn meanwhile.</param>
public sealed record ServerUnderTest(ServerGroup Servers, DrainProof? Drain, ChildServer? Queue, IReadOnlyList<ChildServer> Idle)
{
    /// <summary>Fault proxies of this run: what they use is part of the load.</summary>
    public IReadOnlyList<ChildServer> Proxies { get; init; } = [];

    /// <summary>What befalls it in the next iteration; null: nothing.</summary>
    public IDisturbance? Disturbance { get; init; }
}
