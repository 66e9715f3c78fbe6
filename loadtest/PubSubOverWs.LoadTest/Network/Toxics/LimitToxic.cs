namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>The connection is closed once so many bytes have passed, in the middle of a message if it comes to that.</summary>
/// <param name="Bytes">Counted from when the toxic befell the connection, each direction for itself: 0 or more; at 0 the first byte ends
/// it.</param>
public sealed record LimitToxic(long Bytes) : Toxic
{
    public override IEffect Effect(ToxicContext context) => new Limited(Bytes);

    protected override string? FindFaultOfValues() => Bytes >= 0 ? null : "limit: bytes is 0 or more.";

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
