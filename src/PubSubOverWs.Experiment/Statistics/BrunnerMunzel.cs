using MathNet.Numerics;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>
/// The test of Brunner and Munzel (2000): whether one arm tends to be above the other, with arms that may vary differently. Below
/// <see cref="LeastCount"/> values in an arm it is permuted (Neubert and Brunner 2007).
/// </summary>
public static class BrunnerMunzel
{
    /// <summary>From here on the t distribution is near enough.</summary>
    public const int LeastCount = 15;

    /// <param name="a">The first sample.</param>
    /// <param name="b">The second.</param>
    /// <param name="seed">Of the rearrangements, where there are too many to try all.</param>
    /// <returns>Null where there is nothing to test: n below 2 in an arm, or all values equal. Arms that do not overlap have the p of the two rearrangements that do not.</returns>
    public static RankTest? Test(IReadOnlyCollection<double> a, IReadOnlyCollection<double> b, int seed = 1)
    {
        double[] pool = [.. a, .. b];
        if (a.Count < 2 || b.Count < 2 || pool.All(value => value == pool[0]))
            return null;
        var ranks = Ranks.Of(pool);
        var superiority = Ranks.Superiority(ranks.AsSpan(a.Count), a.Count);
        var (t, df) = Statistic(ranks, a.Count);
        if (double.IsInfinity(t))
            return new RankTest(superiority, Math.Min(1, 2 / SpecialFunctions.Binomial(pool.Length, a.Count)), PMethod.Exact);
        if (Math.Min(a.Count, b.Count) >= LeastCount)
            return new RankTest(superiority, StudentTails.TwoSided(t, df), PMethod.Approximate);
        // Ranks of the pool stand for the values: rearranging keeps them.
        var (p, method) = Rearrangements.P(ranks, a.Count, values => Math.Abs(Statistic(values, a.Count).T), seed);
        return new RankTest(superiority, p, method);
    }

    // Infinite where the arms do not overlap: only then does neither vary against the other.
    private static (double T, double DegreesOfFreedom) Statistic(double[] values, int first)
    {
        var ranks = Ranks.Of(values);
        double na = first, nb = values.Length - first;
        var va = PlacementVariance(ranks.AsSpan(0, first), Ranks.Of(values.AsSpan(0, first))) / (nb * nb) / na;
        var vb = PlacementVariance(ranks.AsSpan(first), Ranks.Of(values.AsSpan(first))) / (na * na) / nb;
        var effect = Ranks.Superiority(ranks.AsSpan(first), first) - 0.5;
        if (va + vb == 0)
            return (effect > 0 ? double.PositiveInfinity : double.NegativeInfinity, 0);
        double wa = va / (va + vb), wb = vb / (va + vb);
        return (effect / Math.Sqrt(va + vb), 1 / ((wa * wa / (na - 1)) + (wb * wb / (nb - 1))));
    }

    // The variance of how many of the other arm lie below each value.
    private static double PlacementVariance(ReadOnlySpan<double> overall, double[] within)
    {
        double mean = 0, squares = 0;
        for (var i = 0; i < within.Length; i++)
            mean += (overall[i] - within[i]) / within.Length;
        for (var i = 0; i < within.Length; i++)
            squares += (overall[i] - within[i] - mean) * (overall[i] - within[i] - mean);
        // Placements are halves: a smaller sum of squares is rounding.
        return squares < 1e-9 ? 0 : squares / (within.Length - 1);
    }
}
