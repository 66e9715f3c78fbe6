namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>The connection is reset (RST): what is under way in either direction is lost. One reset for each connection.</summary>
/// <param name="After">From when the toxic was applied to the connection: 0 s to 1 day.</param>
/// <param name="Jitter">The time of each is drawn evenly from <paramref name="After"/> - Jitter to <paramref name="After"/> + Jitter: 0 s
/// to After.</param>
/// <remarks>The direction names the side that sees the reset; the other side sees an ordinary close.</remarks>
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
