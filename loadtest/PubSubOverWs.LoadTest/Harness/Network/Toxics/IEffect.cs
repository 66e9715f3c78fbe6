namespace PubSubOverWs.LoadTest.Harness.Network.Toxics;

/// <summary>The effect of one toxic on one direction of one connection, without a clock: it plans when bytes are due.</summary>
public interface IEffect
{
    /// <summary>Adds the resulting pieces in order: never more bytes, and none due earlier than the one before.</summary>
    /// <param name="piece">Due no earlier than the one before.</param>
    void Take(Piece piece, List<Piece> output);
}

/// <summary>Bytes that pass together.</summary>
/// <param name="Length">0 or more.</param>
/// <param name="Due">When they pass, on the proxy's clock; the past: at once.</param>
/// <param name="Ends">The connection ends after them.</param>
public readonly record struct Piece(int Length, TimeSpan Due, bool Ends = false)
{
    /// <summary>The same bytes, due at <paramref name="at"/> if they were due earlier.</summary>
    public Piece NotBefore(TimeSpan at) => at > Due ? this with { Due = at } : this;

    /// <summary>The first <paramref name="length"/> bytes, and the rest, which keeps <see cref="Ends"/>.</summary>
    public (Piece First, Piece After) Split(int length) => length >= Length
        ? (this, this with { Length = 0 })
        : (this with { Length = length, Ends = false }, this with { Length = Length - length });
}

/// <summary>Context in which a toxic is applied to a connection.</summary>
/// <param name="Now">On the proxy's clock.</param>
/// <param name="AtOpening">The connection is new; false: the toxic is added to an open one.</param>
/// <param name="Random">Used for this connection and toxic only, so that a seed gives the same draws again.</param>
public readonly record struct ToxicContext(TimeSpan Now, bool AtOpening, Random Random);

/// <summary>The toxics of a proxy.</summary>
/// <param name="Toxics">In the order in which bytes go through them.</param>
/// <param name="Seed">For all random draws.</param>
public sealed record ToxicSet(IReadOnlyList<Toxic> Toxics, long Seed)
{
    public static ToxicSet None { get; } = new([], 0);
}

[Flags]
public enum Direction
{
    None = 0,
    ToServer = 1,
    ToClient = 2,
    Both = ToServer | ToClient,
}
