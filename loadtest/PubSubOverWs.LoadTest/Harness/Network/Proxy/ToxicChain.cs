using PubSubOverWs.LoadTest.Harness.Network.Toxics;

namespace PubSubOverWs.LoadTest.Harness.Network.Proxy;

/// <summary>The effects on the bytes of a link until the toxics change. Not thread-safe, except for <see cref="Dispose"/>.</summary>
public sealed class ToxicChain : IDisposable
{
    private readonly IReadOnlyList<IEffect> _effects;
    private readonly CancellationTokenSource _left = new();
    private List<Piece> _pieces = [];
    private List<Piece> _passed = [];

    /// <param name="effects">In the order in which the bytes go through them.</param>
    public ToxicChain(IReadOnlyList<IEffect> effects)
    {
        _effects = effects;
        Left = _left.Token;
    }

    /// <summary>It has no effects.</summary>
    public bool IsClear => _effects.Count == 0;

    /// <summary>Cancelled when the toxics change: waiting bytes then go through the next chain.</summary>
    public CancellationToken Left { get; }

    public void Dispose()
    {
        _left.Cancel();
        _left.Dispose();
    }

    /// <summary>When and in which pieces <paramref name="count"/> bytes pass; valid until the next call.</summary>
    /// <param name="count">0 for the end.</param>
    /// <param name="readAt">On the proxy's clock.</param>
    public IReadOnlyList<Piece> Plan(int count, TimeSpan readAt)
    {
        _pieces.Clear();
        _pieces.Add(new Piece(count, readAt));
        foreach (var effect in _effects)
        {
            _passed.Clear();
            foreach (var piece in _pieces)
                effect.Take(piece, _passed);
            (_pieces, _passed) = (_passed, _pieces);
        }
        return _pieces;
    }
}
