namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>
/// What one toxic does to one direction of one connection. It knows no clock and waits for nothing: it says when what is due.
/// </summary>
public interface IEffect
{
    /// <summary>Adds what becomes of a piece, in order: never more bytes, and due no earlier than what was added before.</summary>
    /// <param name="piece">Due no earlier than the one before.</param>
    /// <param name="output">What passes on.</param>
    void Take(Piece piece, List<Piece> output);
}

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

/// <summary>Context in which a toxic is applied to a connection.</summary>
/// <param name="Now">When, on the proxy's clock.</param>
/// <param name="AtOpening">The toxic was there when the connection opened; false: it came later.</param>
/// <param name="Random">Of this connection and toxic alone, so that the same seed draws the same again.</param>
public readonly record struct ToxicContext(TimeSpan Now, bool AtOpening, Random Random);

/// <summary>All toxics of a proxy at a time.</summary>
/// <param name="Toxics">Bytes go through them in this order.</param>
/// <param name="Seed">Of all that is drawn.</param>
public sealed record ToxicSet(IReadOnlyList<Toxic> Toxics, long Seed)
{
    public static ToxicSet None { get; } = new([], 0);
}
