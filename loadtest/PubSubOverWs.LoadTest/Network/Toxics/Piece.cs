namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>Bytes that pass together.</summary>
/// <param name="Length">0 or more.</param>
/// <param name="Due">When they pass, on the proxy's clock; the past: at once.</param>
/// <param name="Ends">The connection ends with them.</param>
public readonly record struct Piece(int Length, TimeSpan Due, bool Ends = false)
{
    /// <summary>The same bytes, due at <paramref name="at"/> or when they already were, whichever is later.</summary>
    public Piece NotBefore(TimeSpan at) => at > Due ? this with { Due = at } : this;

    /// <summary>The first <paramref name="length"/> bytes, and the rest: what ends a connection ends it with its last byte.</summary>
    public (Piece First, Piece After) Split(int length) => length >= Length
        ? (this, this with { Length = 0 })
        : (this with { Length = length, Ends = false }, this with { Length = Length - length });
}
