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
