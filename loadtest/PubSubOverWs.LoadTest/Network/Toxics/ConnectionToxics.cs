namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>What the toxics do to one connection.</summary>
/// <param name="ToServer">To its bytes, in the order of the toxics; empty: nothing.</param>
/// <param name="ToClient">The same for the other direction.</param>
/// <param name="ResetAt">When it is reset, on the proxy's clock; null: never.</param>
/// <param name="SeesReset">The side that sees the reset: the client for to-client. The other side sees an ordinary close.</param>
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
