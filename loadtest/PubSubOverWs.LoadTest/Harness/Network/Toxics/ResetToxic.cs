namespace PubSubOverWs.LoadTest.Harness.Network.Toxics;

/// <summary>The connection is reset once (RST): bytes in transit in either direction are lost.</summary>
/// <param name="After">From when the toxic was applied to the connection: 0 s to 1 day.</param>
/// <param name="Jitter">Half the range of times, drawn evenly for each connection: 0 s to <paramref name="After"/>.</param>
/// <remarks>The direction names the side that sees the reset; the other side sees an ordinary close.</remarks>
public sealed record ResetToxic(TimeSpan After, TimeSpan Jitter = default) : Toxic
{
    public override TimeSpan? ResetAt(ToxicContext context) => context.Now + After + (Jitter * ((2 * context.Random.NextDouble()) - 1));

    protected override string? FindFaultOfValues() => After >= TimeSpan.Zero && After <= Longest && Jitter >= TimeSpan.Zero
        && Jitter <= After
        ? null
        : "reset: after must be from 0 s to 1 day, and the jitter from 0 s to after.";
}

/// <summary>
/// Every connection is reset after <paramref name="Every"/>, those that are open when churn begins after an evenly drawn part of it. A
/// client that stays away for W is thus connected for Every, away for W, and so on, with a phase that is drawn once.
/// </summary>
/// <param name="Every">How long a connection lasts: 1 ms to 1 day.</param>
/// <remarks>A new phase for every connection would halve the time that clients are connected, and so change what is lost.</remarks>
public sealed record ChurnToxic(TimeSpan Every) : Toxic
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public override TimeSpan? ResetAt(ToxicContext context) =>
        context.Now + (context.AtOpening ? Every : Every * context.Random.NextDouble());

    protected override string? FindFaultOfValues() =>
        Every >= Shortest && Every <= Longest ? null : "churn: every must be from 1 ms to 1 day.";
}
