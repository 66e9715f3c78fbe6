using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>
/// Random draws for a connection, from a seed and the connection's number alone: the order of drawing does not matter.
/// </summary>
public static class Draws
{
    /// <param name="seed">Of the run.</param>
    /// <param name="connection">Connections are numbered as they come, from 0.</param>
    /// <param name="toxic">Its place in the list.</param>
    public static Random For(long seed, long connection, int toxic) => new((int)Mix(Mix(Mix(seed) + (ulong)connection) + (ulong)toxic));

    /// <summary>A share of connections, rounded to whole ones.</summary>
    /// <param name="connections">Their numbers, in any order.</param>
    /// <param name="share">0 to 1.</param>
    /// <param name="seed">Another one chooses others.</param>
    public static IReadOnlyList<long> Share(IReadOnlyCollection<long> connections, double share, long seed) =>
        [.. connections
            .OrderBy(connection => Mix(Mix(seed) + (ulong)connection))
            .Take((int)Math.Round(share * connections.Count, MidpointRounding.AwayFromZero))];

    /// <summary>A seed of its own for one of many: an iteration, a proxy.</summary>
    /// <param name="seed">Of all of them.</param>
    /// <param name="number">From 0.</param>
    public static long SeedOf(long seed, long number) => (long)Mix(Mix(seed) + (ulong)number);

    private static ulong Mix(long value) => Mix((ulong)value);

    // Seeds and numbers that are near each other draw alike without it.
    private static ulong Mix(ulong value) => new SplitMix64(value).Next();
}
