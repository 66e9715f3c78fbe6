using System.Numerics;
using MathNet.Numerics;

namespace PubSubOverWs.Report.Statistics;

/// <summary>
/// All ways to deal the values of two arms out again, or a seeded draw of them. Distances are compared exactly: no tolerance decides what
/// is a tie.
/// </summary>
public static class Rearrangements
{
    /// <summary>Up to this number all rearrangements are tried: 10 and 10 values have 184,756.</summary>
    public const int MaxTried = 200_000;

    private const int Seed = 1;

    /// <summary>Beyond that, this many are drawn, and the observed one is counted with them.</summary>
    public const int Drawn = 9_999;

    /// <summary>
    /// The smallest p that a draw can give: 1/(<see cref="Drawn"/> + 1). It says that p is below about that, and no more.
    /// </summary>
    public const double SmallestDrawn = 1 / (Drawn + 1.0);

    /// <summary>The share of rearrangements whose distance is at least the observed one.</summary>
    /// <typeparam name="TDistance">Exact, so that distances that are equal by definition compare as equal.</typeparam>
    /// <param name="second">For each value, whether it was read in the second arm.</param>
    /// <param name="distance">How far the arms are apart when dealt out so. Does not keep the array.</param>
    internal static (double P, PMethod Method) P<TDistance>(bool[] second, Func<bool[], TDistance> distance)
        where TDistance : IComparable<TDistance>
    {
        var observed = distance(second);
        var chosen = second.Count(one => one);
        if (SpecialFunctions.BinomialLn(second.Length, chosen) > Math.Log(MaxTried))
        {
            var random = new Random(Seed);
            var drawn = second.ToArray();
            var far = 1;
            for (var i = 0; i < Drawn; i++)
            {
                random.Shuffle(drawn);
                far += distance(drawn).CompareTo(observed) >= 0 ? 1 : 0;
            }

            return (far / (Drawn + 1.0), PMethod.Drawn);
        }

        var all = 0;
        var reached = 0;
        foreach (var arrangement in All(second.Length, chosen))
        {
            all++;
            reached += distance(arrangement).CompareTo(observed) >= 0 ? 1 : 0;
        }

        return ((double)reached / all, PMethod.Exact);
    }

    // Every choice of the second arm, by ascending indices; one array for all of them.
    private static IEnumerable<bool[]> All(int count, int size)
    {
        var chosen = Enumerable.Range(0, size).ToArray();
        var second = new bool[count];
        while (true)
        {
            Array.Clear(second);
            foreach (var i in chosen)
                second[i] = true;
            yield return second;
            var trial = size - 1;
            while (trial >= 0 && chosen[trial] == count - size + trial)
                trial--;
            if (trial < 0)
                yield break;
            chosen[trial]++;
            for (var i = trial + 1; i < size; i++)
                chosen[i] = chosen[i - 1] + 1;
        }
    }
}

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
        a.Count < 2 || b.Count < 2 ? null : Test(WholeNumbers.Compute([.. a, .. b]), a.Count, [.. a, .. b]);

    /// <summary>As above, of counted shares such as lost of attempted: by the counts, because a quotient is rounded.</summary>
    public static RankTest? OfShares(
        IReadOnlyCollection<(long Part, long Whole)> a, IReadOnlyCollection<(long Part, long Whole)> b) =>
        a.Count < 2 || b.Count < 2
            ? null
            : Test(WholeNumbers.Compute([.. a, .. b]), a.Count,
                [.. a.Concat(b).Select(one => one.Whole == 0 ? 0 : (double)one.Part / one.Whole)]);

    private static RankTest? Test(BigInteger[] pool, int first, double[] values)
    {
        if (pool.All(value => value == pool[0]))
            return null;
        var chosen = pool.Length - first;
        // n times the second arm's sum, less its share of the whole: 0 where both arms have the same mean.
        var common = chosen * pool.Aggregate((sum, value) => sum + value);
        var (p, method) = Rearrangements.P([.. pool.Select((_, i) => i >= first)], Distance);
        return new RankTest(Ranks.Superiority(Ranks.Compute(values).AsSpan(first), first), p, method);

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
    public static BigInteger[] Compute(IReadOnlyCollection<(long Part, long Whole)> shares)
    {
        var common = shares.Select(one => one.Whole).Where(whole => whole > 0).Distinct()
            .Aggregate(BigInteger.One, (all, whole) => all / BigInteger.GreatestCommonDivisor(all, whole) * whole);
        return [.. shares.Select(one => one.Whole == 0 ? BigInteger.Zero : one.Part * (common / one.Whole))];
    }

    /// <summary>Each double as the fraction that it is, over the common power of two.</summary>
    /// <param name="values">Finite.</param>
    public static BigInteger[] Compute(IReadOnlyCollection<double> values)
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
