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
