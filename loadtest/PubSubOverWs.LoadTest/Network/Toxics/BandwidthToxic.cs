namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>Bytes pass at a rate: each when the last bit of it would have come through a wire so slow.</summary>
/// <param name="BytesPerSecond">1 to 1,000,000,000.</param>
public sealed record BandwidthToxic(long BytesPerSecond) : Toxic
{
    private const long Fastest = 1_000_000_000;

    // Twenty pieces a second flow; one piece a chunk would come in gushes.
    private const long PiecesPerSecond = 20;

    public override IEffect Effect(ToxicContext context) => new Slow(BytesPerSecond);

    protected override string? FindFaultOfValues() => BytesPerSecond is >= 1 and <= Fastest
        ? null
        : "bandwidth: bytesPerSecond is from 1 to 1,000,000,000.";

    private sealed class Slow(long bytesPerSecond) : IEffect
    {
        private readonly int _most = (int)Math.Max(1, bytesPerSecond / PiecesPerSecond);
        private TimeSpan _busySince = TimeSpan.MinValue;
        private TimeSpan _free = TimeSpan.MinValue;
        private long _bytes;

        public void Take(Piece piece, List<Piece> output)
        {
            // Counted from when the wire was last idle, so that nothing is rounded off byte by byte.
            if (piece.Due >= _free)
                (_busySince, _bytes) = (piece.Due, 0);
            do
            {
                (var first, piece) = piece.Split(_most);
                _bytes += first.Length;
                _free = _busySince + TimeSpan.FromTicks(_bytes * TimeSpan.TicksPerSecond / bytesPerSecond);
                output.Add(first with { Due = _free });
            }
            while (piece.Length > 0);
        }
    }
}
