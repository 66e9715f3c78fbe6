namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>Bytes come later, in their order.</summary>
/// <param name="Delay">0 to 1 day.</param>
/// <param name="Jitter">The delay of each chunk is drawn evenly from <paramref name="Delay"/> - Jitter to <paramref name="Delay"/> +
/// Jitter: 0 to the delay.</param>
public sealed record LatencyToxic(TimeSpan Delay, TimeSpan Jitter = default) : Toxic
{
    public override IEffect Effect(ToxicContext context) => new Late(this, context.Random);

    protected override string? FindFaultOfValues() => Delay >= TimeSpan.Zero && Delay <= Longest && Jitter >= TimeSpan.Zero
        && Jitter <= Delay
        ? null
        : "latency: the delay is from 0 s to 1 day, and the jitter from 0 s to the delay.";

    private sealed class Late(LatencyToxic toxic, Random random) : IEffect
    {
        private TimeSpan _last = TimeSpan.MinValue;

        public void Take(Piece piece, List<Piece> output)
        {
            var delay = toxic.Delay + (toxic.Jitter * ((2 * random.NextDouble()) - 1));
            var late = (piece with { Due = piece.Due + delay }).NotBefore(_last);
            _last = late.Due;
            output.Add(late);
        }
    }
}

/// <summary>Again and again nothing passes for a while, and the connection stays.</summary>
/// <param name="Every">From the beginning of one stall to that of the next: 1 ms to 1 day. The first begins after a part of it that is
/// drawn evenly for each connection.</param>
/// <param name="For">How long nothing passes: 0 s to <paramref name="Every"/>; the whole of it: nothing passes any more from the first
/// stall on.</param>
public sealed record StallToxic(TimeSpan Every, TimeSpan For) : Toxic
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public override IEffect Effect(ToxicContext context) => new Stalled(this, context.Now + (Every * context.Random.NextDouble()));

    protected override string? FindFaultOfValues() => Every >= Shortest && Every <= Longest && For >= TimeSpan.Zero && For <= Every
        ? null
        : "stall: every is from 1 ms to 1 day, and for from 0 s to every.";

    private sealed class Stalled(StallToxic toxic, TimeSpan first) : IEffect
    {
        public void Take(Piece piece, List<Piece> output) =>
            output.Add(piece.Due < first ? piece : piece.NotBefore(Passes(piece.Due - first)));

        private TimeSpan Passes(TimeSpan sinceFirst)
        {
            if (toxic.For == toxic.Every)
                return first + Longest;
            var stall = TimeSpan.FromTicks(sinceFirst.Ticks / toxic.Every.Ticks * toxic.Every.Ticks);
            return first + stall + toxic.For;
        }
    }
}
