using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

/// <summary>Chunks after a toxic, without a clock or a connection.</summary>
internal static class Passed
{
    public static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);

    /// <summary>It befell the connection at 0 s.</summary>
    public static IEffect Effect(this Toxic toxic, int seed = 1) =>
        toxic.Effect(new ToxicContext(TimeSpan.Zero, AtOpening: true, new Random(seed)))!;

    public static IReadOnlyList<Piece> Take(this IEffect effect, int length, double due = 0)
    {
        var output = new List<Piece>();
        effect.Take(new Piece(length, Seconds(due)), output);
        return output;
    }
}
