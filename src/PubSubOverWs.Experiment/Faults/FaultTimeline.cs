using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>When what is done in an iteration: the same for all arms, and the same on every machine.</summary>
public static class FaultTimeline
{
    // Clients wait for a second at most before they try again.
    private static readonly TimeSpan LongestRecovery = TimeSpan.FromSeconds(3);

    /// <summary>
    /// What one outage needs of the time over which messages are spread: itself, as long again to recover or 3 s, and half of it to be
    /// drawn from.
    /// </summary>
    public static TimeSpan LeastPart(TimeSpan outage) => (1.5 * outage) + Recovery(outage);

    /// <param name="fault">Of the scenario. What is done by a proxy or by settings all the time has no moments.</param>
    /// <param name="seed">Of the scenario.</param>
    /// <param name="iteration">Unique over the run; its arms share it.</param>
    /// <param name="spread">Over which the messages are due.</param>
    /// <returns>In order; one ends before the next begins.</returns>
    public static IReadOnlyList<FaultAction> For(Fault fault, long seed, int iteration, TimeSpan spread) => fault switch
    {
        RestartFault restart => Restarts(restart, new SplitMix64(StateOf(seed, iteration)), TimeSpan.Zero, spread),
        // A backlog needs time to become one.
        OverloadRestartFault both => Restarts(both.Restart, new SplitMix64(StateOf(seed, iteration)), spread / 2, spread / 2),
        QueueDownFault down =>
            [new FaultAction(
                down.At, down.How == QueueAbsence.Refuse ? FaultActionKind.QueueRefuses : FaultActionKind.QueueStalls, down.For)],
        QueueKilledFault killed => [new FaultAction(killed.At, FaultActionKind.KillQueue, killed.Down)],
        _ => [],
    };

    // Each in a part of its own: drawn freely, two could fall together. What is last of a part is left to recover in.
    private static IReadOnlyList<FaultAction> Restarts(RestartFault fault, SplitMix64 numbers, TimeSpan from, TimeSpan length)
    {
        var part = length / fault.Times;
        var kind = fault.Signal == KillSignal.Kill ? FaultActionKind.KillServer : FaultActionKind.StopServer;
        return [.. Enumerable.Range(0, fault.Times)
            .Select(i =>
                new FaultAction(from + (i * part) + ((part - fault.Down - Recovery(fault.Down)) * numbers.NextShare()), kind, fault.Down))];
    }

    private static TimeSpan Recovery(TimeSpan outage) => outage < LongestRecovery ? outage : LongestRecovery;

    // Seeds that are near each other give states that are far apart.
    private static ulong StateOf(long seed, int iteration) => new SplitMix64((ulong)seed).Next() + (ulong)iteration;
}

/// <summary>One fault action on the time line of an iteration.</summary>
/// <param name="At">From the first due.</param>
/// <param name="Kind">What is done.</param>
/// <param name="For">How long: until the port is open, or the way is free, again.</param>
public readonly record struct FaultAction(TimeSpan At, FaultActionKind Kind, TimeSpan For);

/// <summary>What is done at a moment of an iteration.</summary>
public enum FaultActionKind
{
    /// <summary>SIGKILL to the server under test.</summary>
    KillServer,

    /// <summary>SIGTERM to the server under test.</summary>
    StopServer,

    /// <summary>Connections to the queue are refused.</summary>
    QueueRefuses,

    /// <summary>Nothing passes to the queue or from it.</summary>
    QueueStalls,

    /// <summary>SIGKILL to the queue.</summary>
    KillQueue,
}
