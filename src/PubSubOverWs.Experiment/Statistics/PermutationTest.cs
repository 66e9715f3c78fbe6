namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Permutes iterations between the arms: for losses that come together, which may not be counted as independent messages.</summary>
public static class PermutationTest
{
    /// <summary>Whether the means differ by more than chance would have it, whatever the distribution.</summary>
    /// <param name="a">One value for each iteration of the first arm.</param>
    /// <param name="b">The same of the second.</param>
    /// <param name="seed">Of the rearrangements, where there are too many to try all.</param>
    /// <returns>Null where there is nothing to test: n below 2 in an arm, or all values equal.</returns>
    public static RankTest? Test(IReadOnlyCollection<double> a, IReadOnlyCollection<double> b, int seed = 1)
    {
        double[] pool = [.. a, .. b];
        if (a.Count < 2 || b.Count < 2 || pool.All(value => value == pool[0]))
            return null;
        var mean = pool.Average();
        // The sum of one arm tells the mean of both; less the common mean, so that large values keep their digits.
        double[] centred = [.. pool.Select(value => value - mean)];
        var rounding = 1e-12 * centred.Sum(Math.Abs);
        var (p, method) = Rearrangements.P(centred, a.Count, values => Distance(values, a.Count, rounding), seed);
        return new RankTest(Ranks.Superiority(Ranks.Of(pool).AsSpan(a.Count), a.Count), p, method);
    }

    private static double Distance(double[] values, int first, double rounding)
    {
        var sum = 0.0;
        for (var i = 0; i < first; i++)
            sum += values[i];
        return Math.Abs(sum) <= rounding ? 0 : Math.Abs(sum);
    }
}
