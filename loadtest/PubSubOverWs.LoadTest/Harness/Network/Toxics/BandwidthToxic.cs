namespace PubSubOverWs.LoadTest.Harness.Network.Toxics;

/// <summary>Bytes pass at a limited rate: each when its last bit would have passed a wire of this bandwidth.</summary>
/// <param name="BytesPerSecond">1 to 1,000,000,000.</param>
public sealed record BandwidthToxic(long BytesPerSecond) : Toxic
{
    private const long Fastest = 1_000_000_000;

    // In smaller pieces than chunks, for an even flow.
    private const long PiecesPerSecond = 20;

    public override IEffect Effect(ToxicContext context) => new Slow(BytesPerSecond);

    protected override string? FindFaultOfValues() => BytesPerSecond is >= 1 and <= Fastest
        ? null
        : "bandwidth: bytesPerSecond must be from 1 to 1,000,000,000.";

    private sealed class Slow(long bytesPerSecond) : IEffect
    {
        private readonly int _most = (int)Math.Max(1, bytesPerSecond / PiecesPerSecond);
        private TimeSpan _busySince = TimeSpan.MinValue;
        private TimeSpan _free = TimeSpan.MinValue;
        private long _bytes;

        public void Take(Piece piece, List<Piece> output)
        {
            // Counted from when the wire was last idle, so that rounding errors do not add up.
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
