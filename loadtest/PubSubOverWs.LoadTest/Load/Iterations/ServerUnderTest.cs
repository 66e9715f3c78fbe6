using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Load.Drain;

namespace PubSubOverWs.LoadTest.Load.Iterations;

/// <summary>What an iteration is run against.</summary>
/// <param name="Clients">Where its users connect.</param>
/// <param name="Stats">Its /stats; null: it has none (the null echo).</param>
/// <param name="Drain">How its queue is shown to be empty; null: it has no queue.</param>
/// <param name="Process">Null: this run did not start it.</param>
/// <param name="Queue">The queue's process; null: this run did not start it, or the arm does not use one.</param>
/// <param name="Idle">Servers of this run that wait for their turn meanwhile.</param>
public sealed record ServerUnderTest(
    ClientTarget Clients,
    StatsReader? Stats,
    DrainProof? Drain,
    ChildServer? Process,
    ChildServer? Queue,
    IReadOnlyList<ChildServer> Idle);
