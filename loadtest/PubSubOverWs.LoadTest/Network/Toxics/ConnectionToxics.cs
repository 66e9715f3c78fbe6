namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>What the toxics do to one connection.</summary>
/// <param name="ToServer">To its bytes, in the order of the toxics; empty: nothing.</param>
/// <param name="ToClient">The same for the other direction.</param>
/// <param name="ResetAt">When it is reset, on the proxy's clock; null: never.</param>
/// <param name="SeesReset">Who sees the reset: to-client the client. The other side sees an ordinary close.</param>
public sealed record ConnectionToxics(
    IReadOnlyList<IEffect> ToServer, IReadOnlyList<IEffect> ToClient, TimeSpan? ResetAt, Direction SeesReset)
{
    /// <summary>Draws which of the toxics are applied to the connection, and how.</summary>
    /// <param name="set">All toxics.</param>
    /// <param name="connection">Its number.</param>
    /// <param name="now">On the proxy's clock.</param>
    /// <param name="atOpening">False: the toxics come to a connection that was already open.</param>
    public static ConnectionToxics Draw(ToxicSet set, long connection, TimeSpan now, bool atOpening)
    {
        List<IEffect> toServer = [], toClient = [];
        (TimeSpan At, Direction Direction)? reset = null;
        foreach (var (i, toxic) in set.Toxics.Index())
        {
            var random = Draws.For(set.Seed, connection, i);
            if (random.NextDouble() >= toxic.Probability)
                continue;
            ToxicContext Meet() => new(now, atOpening, new Random(random.Next()));
            if (toxic.Direction.HasFlag(Direction.ToServer) && toxic.Effect(Meet()) is { } up)
                toServer.Add(up);
            if (toxic.Direction.HasFlag(Direction.ToClient) && toxic.Effect(Meet()) is { } down)
                toClient.Add(down);
            if (toxic.ResetAt(Meet()) is { } at && !(reset?.At <= at))
                reset = (at, toxic.Direction);
        }
        return new ConnectionToxics(toServer, toClient, reset?.At, reset?.Direction ?? Direction.None);
    }
}

/// <summary>The connection is reset (RST): what is under way in either direction is lost. One reset for each connection.</summary>
/// <param name="After">From when the toxic befell the connection: 0 s to 1 day.</param>
/// <param name="Jitter">The time of each is drawn evenly from <paramref name="After"/> - Jitter to <paramref name="After"/> + Jitter: 0 s
/// to After.</param>
/// <remarks>A direction says who sees the reset: to-client the client, and the server an ordinary close.</remarks>
public sealed record ResetToxic(TimeSpan After, TimeSpan Jitter = default) : Toxic
{
    public override TimeSpan? ResetAt(ToxicContext context) => context.Now + After + (Jitter * ((2 * context.Random.NextDouble()) - 1));

    protected override string? FindFaultOfValues() => After >= TimeSpan.Zero && After <= Longest && Jitter >= TimeSpan.Zero
        && Jitter <= After
        ? null
        : "reset: after is from 0 s to 1 day, and the jitter from 0 s to after.";
}

/// <summary>
/// Every connection is reset again and again: one that is open when churn begins after a part of <paramref name="Every"/> that is drawn
/// evenly for it, and one that opens later after the whole. A client that stays away for W is so connected for Every, away for W, and so
/// on, its phase drawn once.
/// </summary>
/// <param name="Every">How long a connection lasts: 1 ms to 1 day.</param>
/// <remarks>A phase for every connection anew would halve the time for which clients are connected, and so change what is lost.</remarks>
public sealed record ChurnToxic(TimeSpan Every) : Toxic
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public override TimeSpan? ResetAt(ToxicContext context) =>
        context.Now + (context.AtOpening ? Every : Every * context.Random.NextDouble());

    protected override string? FindFaultOfValues() => Every >= Shortest && Every <= Longest ? null : "churn: every is from 1 ms to 1 day.";
}
