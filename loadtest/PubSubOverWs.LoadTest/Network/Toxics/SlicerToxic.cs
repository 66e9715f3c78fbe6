namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>Bytes come in slices: what was sent together is received in parts.</summary>
/// <param name="Bytes">The mean size of a slice: 1 to 65,536.</param>
/// <param name="Variation">The size of each is drawn evenly from <paramref name="Bytes"/> - Variation to <paramref name="Bytes"/> +
/// Variation: 0 to Bytes - 1.</param>
/// <param name="Delay">From one slice to the next at least: 0 to 1 day. At 0 slices are written one by one, and the system may join them
/// again.</param>
public sealed record SlicerToxic(int Bytes, int Variation = 0, TimeSpan Delay = default) : Toxic
{
    private const int Largest = 65_536;

    public override IEffect Effect(ToxicContext context) => new Sliced(this, context.Random);

    protected override string? FindFaultOfValues() =>
        Bytes is >= 1 and <= Largest && Variation >= 0 && Variation < Bytes && Delay >= TimeSpan.Zero && Delay <= Longest
            ? null
            : "slicer: bytes is from 1 to 65,536, the variation from 0 to bytes - 1, and the delay from 0 s to 1 day.";

    private sealed class Sliced(SlicerToxic toxic, Random random) : IEffect
    {
        private TimeSpan _next = TimeSpan.MinValue;

        public void Take(Piece piece, List<Piece> output)
        {
            do
            {
                (var first, piece) = piece.Split(toxic.Bytes + random.Next(-toxic.Variation, toxic.Variation + 1));
                var slice = first.NotBefore(_next);
                _next = slice.Due + toxic.Delay;
                output.Add(slice);
            }
            while (piece.Length > 0);
        }
    }
}
