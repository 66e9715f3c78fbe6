using System.Numerics;

namespace PubSubOverWs.Report.Statistics;

/// <summary>
/// Permutes iterations between the arms: for losses that come together, which may not be counted as independent messages.
/// </summary>
public static class PermutationTest
{
    /// <summary>Whether the means differ by more than chance would have it, whatever the distribution.</summary>
    /// <param name="a">One value for each iteration of the first arm.</param>
    /// <param name="b">The same of the second arm.</param>
    /// <returns>Null where there is nothing to test: n below 2 in an arm, or all values equal.</returns>
    public static RankTest? Test(IReadOnlyCollection<double> a, IReadOnlyCollection<double> b) =>
        a.Count < 2 || b.Count < 2 ? null : Test(WholeNumbers.Of([.. a, .. b]), a.Count, [.. a, .. b]);

    /// <summary>As above, of counted shares such as lost of attempted: by the counts, because a quotient is rounded.</summary>
    public static RankTest? OfShares(
        IReadOnlyCollection<(long Part, long Whole)> a, IReadOnlyCollection<(long Part, long Whole)> b) =>
        a.Count < 2 || b.Count < 2
            ? null
            : Test(WholeNumbers.Of([.. a, .. b]), a.Count,
                [.. a.Concat(b).Select(one => one.Whole == 0 ? 0 : (double)one.Part / one.Whole)]);

    private static RankTest? Test(BigInteger[] pool, int first, double[] values)
    {
        if (pool.All(value => value == pool[0]))
            return null;
        var chosen = pool.Length - first;
        // n times the second arm's sum, less its share of the whole: 0 where both arms have the same mean.
        var common = chosen * pool.Aggregate((sum, value) => sum + value);
        var (p, method) = Rearrangements.P([.. pool.Select((_, i) => i >= first)], Distance);
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

/// <summary>Readings in a unit in which all of them are whole numbers, so that sums of them are exact.</summary>
internal static class WholeNumbers
{
    /// <summary>Shares over their common denominator: with as many attempts in each iteration, the counts themselves.</summary>
    /// <param name="shares">Each <c>Part</c> of <c>Whole</c>; of 0 it is 0.</param>
    public static BigInteger[] Of(IReadOnlyCollection<(long Part, long Whole)> shares)
    {
        var common = shares.Select(one => one.Whole).Where(whole => whole > 0).Distinct()
            .Aggregate(BigInteger.One, (all, whole) => all / BigInteger.GreatestCommonDivisor(all, whole) * whole);
        return [.. shares.Select(one => one.Whole == 0 ? BigInteger.Zero : one.Part * (common / one.Whole))];
    }

    /// <summary>Each double as the fraction that it is, over the common power of two.</summary>
    /// <param name="values">Finite.</param>
    public static BigInteger[] Of(IReadOnlyCollection<double> values)
    {
        var parts = values.Select(Split).ToArray();
        var least = parts.Min(part => part.Exponent);
        return [.. parts.Select(part => part.Mantissa << (part.Exponent - least))];
    }

    private static (BigInteger Mantissa, int Exponent) Split(double value)
    {
        if (value == 0)
            return (BigInteger.Zero, 0);
        var exponent = Math.ILogB(value) - 52;
        return (new BigInteger(Math.ScaleB(value, -exponent)), exponent);
    }
}
