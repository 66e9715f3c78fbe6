namespace PubSubOverWs.LoadTest.Harness.Network;

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

/// <summary>The effect of one toxic on one direction of one connection, without a clock: it plans when bytes are due.</summary>
public interface IEffect
{
    /// <summary>Adds the resulting pieces in order: never more bytes, and none due earlier than the one before.</summary>
    /// <param name="piece">Due no earlier than the one before.</param>
    void Take(Piece piece, List<Piece> output);
}

/// <summary>Bytes that pass together.</summary>
/// <param name="Length">0 or more.</param>
/// <param name="Due">When they pass, on the proxy's clock; the past: at once.</param>
/// <param name="Ends">The connection ends after them.</param>
public readonly record struct Piece(int Length, TimeSpan Due, bool Ends = false)
{
    /// <summary>The same bytes, due at <paramref name="at"/> if they were due earlier.</summary>
    public Piece NotBefore(TimeSpan at) => at > Due ? this with { Due = at } : this;

    /// <summary>The first <paramref name="length"/> bytes, and the rest, which keeps <see cref="Ends"/>.</summary>
    public (Piece First, Piece After) Split(int length) => length >= Length
        ? (this, this with { Length = 0 })
        : (this with { Length = length, Ends = false }, this with { Length = Length - length });
}

/// <summary>Context in which a toxic is applied to a connection.</summary>
/// <param name="Now">On the proxy's clock.</param>
/// <param name="AtOpening">The connection is new; false: the toxic is added to an open one.</param>
/// <param name="Random">Used for this connection and toxic only, so that a seed gives the same draws again.</param>
public readonly record struct ToxicContext(TimeSpan Now, bool AtOpening, Random Random);

/// <summary>The toxics of a proxy.</summary>
/// <param name="Toxics">In the order in which bytes go through them.</param>
/// <param name="Seed">For all random draws.</param>
public sealed record ToxicSet(IReadOnlyList<Toxic> Toxics, long Seed)
{
    public static ToxicSet None { get; } = new([], 0);
}

[Flags]
public enum Direction
{
    None = 0,
    ToServer = 1,
    ToClient = 2,
    Both = ToServer | ToClient,
}
