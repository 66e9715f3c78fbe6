namespace PubSubOverWs.LoadTest.Harness.Network.Toxics;

/// <summary>The toxics of one connection.</summary>
/// <param name="ToServer">Effects on its bytes, in the order of the toxics.</param>
/// <param name="ToClient">The same for the other direction.</param>
/// <param name="ResetAt">On the proxy's clock; null: never.</param>
/// <param name="SeesReset">The side that sees the reset: the client for to-client. The other side sees an ordinary close.</param>
public sealed record ConnectionToxics(
    IReadOnlyList<IEffect> ToServer, IReadOnlyList<IEffect> ToClient, TimeSpan? ResetAt, Direction SeesReset)
{
    /// <summary>Draws which toxics apply to the connection, and how.</summary>
    /// <param name="now">On the proxy's clock.</param>
    /// <param name="atOpening">False: the connection was already open.</param>
    public static ConnectionToxics Draw(ToxicSet set, long connection, TimeSpan now, bool atOpening)
    {
        List<IEffect> toServer = [], toClient = [];
        (TimeSpan At, Direction Direction)? reset = null;
        foreach (var (i, toxic) in set.Toxics.Index())
        {
            var random = Draws.For(set.Seed, connection, i);
            if (random.NextDouble() >= toxic.Probability)
                continue;
            ToxicContext Context() => new(now, atOpening, new Random(random.Next()));
            if (toxic.Direction.HasFlag(Direction.ToServer) && toxic.Effect(Context()) is { } up)
                toServer.Add(up);
            if (toxic.Direction.HasFlag(Direction.ToClient) && toxic.Effect(Context()) is { } down)
                toClient.Add(down);
            if (toxic.ResetAt(Context()) is { } at && !(reset?.At <= at))
                reset = (at, toxic.Direction);
        }
        return new ConnectionToxics(toServer, toClient, reset?.At, reset?.Direction ?? Direction.None);
    }
}

/// <summary>Random draws from a seed and the number of a connection alone, so that their order does not matter.</summary>
public static class Draws
{
    /// <param name="connection">In the order of arrival, from 0.</param>
    /// <param name="toxic">Its index in the list.</param>
    public static Random For(long seed, long connection, int toxic) => new((int)Mix(Mix(Mix(seed) + (ulong)connection) + (ulong)toxic));

    /// <summary>A share of connections, rounded to whole ones.</summary>
    /// <param name="connections">Their numbers, in any order.</param>
    /// <param name="share">0 to 1.</param>
    public static IReadOnlyList<long> Share(IReadOnlyCollection<long> connections, double share, long seed) =>
        [.. connections
            .OrderBy(connection => Mix(Mix(seed) + (ulong)connection))
            .Take((int)Math.Round(share * connections.Count, MidpointRounding.AwayFromZero))];

    /// <summary>A separate seed for one of many, such as an iteration or a proxy.</summary>
    /// <param name="number">From 0.</param>
    public static long SeedOf(long seed, long number) => (long)Mix(Mix(seed) + (ulong)number);

    private static ulong Mix(long value) => Mix((ulong)value);

    // Without it, similar seeds and numbers have similar draws.
    private static ulong Mix(ulong value) => new SplitMix64(value).Next();
}
