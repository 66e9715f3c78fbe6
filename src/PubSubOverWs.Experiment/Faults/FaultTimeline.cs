using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>When what is done in an iteration: the same for all arms, and the same on every machine.</summary>
public static class FaultTimeline
{
    /// <param name="fault">Of the scenario. What is done by a proxy or by settings all the time has no moments.</param>
    /// <param name="seed">Of the scenario.</param>
    /// <param name="iteration">Unique over the run; its arms share it.</param>
    /// <param name="spread">Over which the messages are due.</param>
    /// <returns>In order; one ends before the next begins.</returns>
    public static IReadOnlyList<FaultAction> For(Fault fault, long seed, int iteration, TimeSpan spread) =>
        fault.Actions(spread, new SplitMix64(StateOf(seed, iteration)));

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
