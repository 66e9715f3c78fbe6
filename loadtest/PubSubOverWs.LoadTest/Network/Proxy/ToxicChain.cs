using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>What the bytes of a link go through until the toxics change. For one thread at a time, but for <see cref="Dispose"/>.</summary>
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

    /// <summary>Nothing is done to anything.</summary>
    public bool IsClear => _effects.Count == 0;

    /// <summary>Cancelled when the toxics have changed: what still waits is to go through the next chain.</summary>
    public CancellationToken Left { get; }

    /// <summary>The toxics have changed, or the connection has ended.</summary>
    public void Dispose()
    {
        _left.Cancel();
        _left.Dispose();
    }

    /// <summary>What becomes of so many bytes; good until the next call.</summary>
    /// <param name="count">1 or more.</param>
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
