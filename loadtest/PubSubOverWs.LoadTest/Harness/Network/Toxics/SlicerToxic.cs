namespace PubSubOverWs.LoadTest.Harness.Network.Toxics;

/// <summary>Bytes pass in slices: what was sent together is received in parts.</summary>
/// <param name="Bytes">The mean size of a slice: 1 to 65,536.</param>
/// <param name="Variation">Half the range of sizes, drawn evenly for each slice: 0 to <paramref name="Bytes"/> - 1.</param>
/// <param name="Delay">The minimum time between slices: 0 to 1 day. At 0 the system may join slices again.</param>
public sealed record SlicerToxic(int Bytes, int Variation = 0, TimeSpan Delay = default) : Toxic
{
    private const int Largest = 65_536;

    public override IEffect Effect(ToxicContext context) => new Sliced(this, context.Random);

    protected override string? FindFaultOfValues() =>
        Bytes is >= 1 and <= Largest && Variation >= 0 && Variation < Bytes && Delay >= TimeSpan.Zero && Delay <= Longest
            ? null
            : "slicer: bytes must be from 1 to 65,536, the variation from 0 to bytes - 1, and the delay from 0 s to 1 day.";

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

/// <summary>The connection is closed after a number of bytes, possibly in the middle of a message.</summary>
/// <param name="Bytes">In each direction, counted from when the toxic was applied: 0 or more; at 0 the first byte ends it.</param>
public sealed record LimitToxic(long Bytes) : Toxic
{
    public override IEffect Effect(ToxicContext context) => new Limited(Bytes);

    protected override string? FindFaultOfValues() => Bytes >= 0 ? null : "limit: bytes must be 0 or more.";

    private sealed class Limited(long left) : IEffect
    {
        private bool _ended;

        public void Take(Piece piece, List<Piece> output)
        {
            if (_ended)
                return;
            _ended = piece.Ends || (piece.Length >= left && piece.Length > 0);
            var length = (int)Math.Min(piece.Length, left);
            left -= length;
            output.Add(piece with { Length = length, Ends = _ended });
        }
    }
}
