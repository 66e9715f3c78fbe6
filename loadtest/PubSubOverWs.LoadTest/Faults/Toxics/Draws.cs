namespace PubSubOverWs.LoadTest.Faults.Toxics;

/// <summary>What is drawn for a connection: from a seed and the connection's number alone, so that it does not matter who draws first.</summary>
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

    private static ulong Mix(long value) => Mix((ulong)value);

    // SplitMix64's finalizer (Steele, Lea, Flood: https://doi.org/10.1145/2660193.2660195): seeds and numbers that are near each other draw alike without it.
    private static ulong Mix(ulong value)
    {
        value += 0x9E3779B97F4A7C15;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}
