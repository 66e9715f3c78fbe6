namespace PubSubOverWs.LoadTest.Network.Toxics;

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
