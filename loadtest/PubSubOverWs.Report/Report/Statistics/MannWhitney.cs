using MathNet.Numerics;

namespace PubSubOverWs.Report.Statistics;

/// <summary>The rank sum test of Wilcoxon (1945), Mann and Whitney (1947): whether one arm tends to be above the other.</summary>
public static class MannWhitney
{
    /// <summary>Up to this many values in each arm, p is exact, ties or not; above, it comes from the normal distribution.</summary>
    public const int LargestExact = 49;

    /// <returns>Null where there is nothing to test: n below 2 in an arm, or all values equal.</returns>
    public static RankTest? Test(IReadOnlyCollection<double> a, IReadOnlyCollection<double> b)
    {
        double[] pool = [.. a, .. b];
        if (a.Count < 2 || b.Count < 2 || pool.All(value => value == pool[0]))
            return null;
        var ranks = Ranks.Compute(pool);
        var superiority = Ranks.Superiority(ranks.AsSpan(a.Count), a.Count);
        return a.Count <= LargestExact && b.Count <= LargestExact
            ? new RankTest(superiority, Exact(ranks, a.Count), PMethod.Exact)
            : new RankTest(superiority, Approximate(pool, superiority, a.Count, b.Count), PMethod.Approximate);
    }

    // Counts the ways to choose b's ranks by their sum (doubled, if ties have half ranks), and returns twice the smaller tail.
    private static double Exact(double[] ranks, int first)
    {
        var unit = ranks.All(rank => rank == Math.Floor(rank)) ? 1 : 2;
        var whole = Array.ConvertAll(ranks, rank => (int)(unit * rank));
        var chosen = ranks.Length - first;
        var observed = whole.Skip(first).Sum();
        var ways = new double[chosen + 1][];
        for (var size = 0; size <= chosen; size++)
            ways[size] = new double[whole.Sum() + 1];
        ways[0][0] = 1;
        for (int i = 0, reach = 0; i < whole.Length; i++)
        {
            reach += whole[i];
            for (var size = Math.Min(i + 1, chosen); size > 0; size--)
            {
                var to = ways[size];
                var from = ways[size - 1];
                for (var sum = reach; sum >= whole[i]; sum--)
                    to[sum] += from[sum - whole[i]];
            }
        }

        var all = ways[chosen].Sum();
        var below = ways[chosen].Take(observed + 1).Sum();
        var above = ways[chosen].Skip(observed).Sum();
        return Math.Min(1, 2 * Math.Min(below, above) / all);
    }

    // With the correction for ties, and half a step for continuity.
    private static double Approximate(double[] pool, double superiority, double na, double nb)
    {
        double n = na + nb;
        var ties = Ranks.Ties(pool).Sum(t => ((double)t * t * t) - t);
        var variance = na * nb / 12 * (n + 1 - (ties / (n * (n - 1))));
        var distance = Math.Max(0, Math.Abs((superiority - 0.5) * na * nb) - 0.5);
        return SpecialFunctions.Erfc(distance / Math.Sqrt(2 * variance));
    }
}
