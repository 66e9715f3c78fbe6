using System.Numerics;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>
/// Permutes iterations between the arms: for losses that come together, which may not be counted as independent messages.
/// </summary>
public static class PermutationTest
{
    /// <summary>Whether the means differ by more than chance would have it, whatever the distribution.</summary>
    /// <param name="a">One value for each iteration of the first arm.</param>
    /// <param name="b">The same of the second.</param>
    /// <param name="seed">Of the rearrangements, where there are too many to try all.</param>
    /// <returns>Null where there is nothing to test: n below 2 in an arm, or all values equal.</returns>
    public static RankTest? Test(IReadOnlyCollection<double> a, IReadOnlyCollection<double> b, int seed = 1) =>
        a.Count < 2 || b.Count < 2 ? null : Test(WholeNumbers.Of([.. a, .. b]), a.Count, [.. a, .. b], seed);

    /// <summary>The same of shares that were counted, such as lost of attempted: by the counts, for a quotient is rounded.</summary>
    /// <param name="a">One share for each iteration of the first arm.</param>
    /// <param name="b">The same of the second.</param>
    /// <param name="seed">Of the rearrangements, where there are too many to try all.</param>
    public static RankTest? OfShares(
        IReadOnlyCollection<(long Part, long Whole)> a, IReadOnlyCollection<(long Part, long Whole)> b, int seed = 1) =>
        a.Count < 2 || b.Count < 2
            ? null
            : Test(WholeNumbers.Of([.. a, .. b]), a.Count,
                [.. a.Concat(b).Select(one => one.Whole == 0 ? 0 : (double)one.Part / one.Whole)], seed);

    private static RankTest? Test(BigInteger[] pool, int first, double[] values, int seed)
    {
        if (pool.All(value => value == pool[0]))
            return null;
        var chosen = pool.Length - first;
        // n times the second arm's sum, less its share of the whole: 0 where both arms have the same mean.
        var common = chosen * pool.Aggregate((sum, value) => sum + value);
        var (p, method) = Rearrangements.P([.. pool.Select((_, i) => i >= first)], Distance, seed);
        return new RankTest(Ranks.Superiority(Ranks.Of(values).AsSpan(first), first), p, method);

        BigInteger Distance(bool[] second)
        {
            var sum = BigInteger.Zero;
            for (var i = 0; i < second.Length; i++)
            {
                if (second[i])
                    sum += pool[i];
            }

            return BigInteger.Abs((pool.Length * sum) - common);
        }
    }
}
