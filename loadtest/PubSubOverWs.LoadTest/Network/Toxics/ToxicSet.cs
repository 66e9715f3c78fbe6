namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>All toxics of a proxy at a time.</summary>
/// <param name="Toxics">Bytes go through them in this order.</param>
/// <param name="Seed">Of all that is drawn.</param>
public sealed record ToxicSet(IReadOnlyList<Toxic> Toxics, long Seed)
{
    public static ToxicSet None { get; } = new([], 0);
}
