using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Report.Statistics;

/// <param name="T">Second less first, over its standard error; infinite when two constants differ.</param>
/// <param name="DegreesOfFreedom">Need not be whole.</param>
/// <param name="P">Two-sided.</param>
public sealed record TTest(double T, double DegreesOfFreedom, double P);

/// <summary>Student's t-test with pooled variance: the paper's test, shown with Welch's and never judged.</summary>
public static class PooledTest
{
    /// <returns>Null where there is nothing to test: n below 2 in an arm, or both constant and equal.</returns>
    public static TTest? Test(Moments a, Moments b)
    {
        if (a.Count < 2 || b.Count < 2)
            return null;
        var df = a.Count + b.Count - 2;
        var pooled = Variance(a, b);
        if (pooled == 0)
            return a.Mean == b.Mean ? null : new TTest(b.Mean > a.Mean ? double.PositiveInfinity : double.NegativeInfinity, df, 0);
        var t = (b.Mean - a.Mean) / Math.Sqrt(pooled * ((1.0 / a.Count) + (1.0 / b.Count)));
        return new TTest(t, df, StudentTails.TwoSided(t, df));
    }

    /// <summary>The pooled variance; both samples have at least 2 values.</summary>
    public static double Variance(Moments a, Moments b) =>
        (((a.Count - 1) * a.Variance) + ((b.Count - 1) * b.Variance)) / (a.Count + b.Count - 2);
}

/// <summary>Student's t distribution.</summary>
public static class StudentTails
{
    /// <summary>2 * CDF(-|t|): 1 - CDF(|t|) would round everything below 1e-16 to nothing.</summary>
    public static double TwoSided(double t, double degreesOfFreedom) =>
        double.IsInfinity(t) ? 0 : 2 * StudentT.CDF(0, 1, degreesOfFreedom, -Math.Abs(t));

    /// <summary>P(T above <paramref name="t"/>), small ones with their digits.</summary>
    public static double Upper(double t, double degreesOfFreedom) => t switch
    {
        double.PositiveInfinity => 0,
        double.NegativeInfinity => 1,
        _ => StudentT.CDF(0, 1, degreesOfFreedom, -t),
    };

    /// <summary>The t that a two-sided interval of this confidence (0.95, say) reaches to either side.</summary>
    public static double Reach(double confidence, double degreesOfFreedom) =>
        StudentT.InvCDF(0, 1, degreesOfFreedom, (1 + confidence) / 2);
}

/// <summary>Student's test of paired differences against 0; here of block means, because iterations of one block share a process.</summary>
public static class PairedTest
{
    /// <param name="differences">second - first, one per block.</param>
    /// <returns>Null where there is nothing to test: fewer than 2, or all 0.</returns>
    public static TTest? Test(Moments differences)
    {
        if (differences.Count < 2 || differences is { Mean: 0, Variance: 0 })
            return null;
        // Division by 0 gives the infinite t of differences that are all the same.
        var t = differences.Mean / Math.Sqrt(differences.MeanVariance);
        var df = differences.Count - 1;
        return new TTest(t, df, StudentTails.TwoSided(t, df));
    }

    /// <summary>The interval of a mean; a point where all values are equal.</summary>
    /// <returns>Null below 2 values.</returns>
    public static Interval? Difference(Moments differences, double confidence)
    {
        if (differences.Count < 2)
            return null;
        var reach = differences.Variance == 0
            ? 0
            : StudentTails.Reach(confidence, differences.Count - 1) * Math.Sqrt(differences.MeanVariance);
        return new Interval(differences.Mean - reach, differences.Mean + reach);
    }
}

/// <summary>Welch's t-test of two means without the assumption that the variances are equal (Welch 1947).</summary>
public static class WelchTest
{
    /// <summary>Tests <paramref name="b"/> against <paramref name="a"/>.</summary>
    /// <returns>Null where there is nothing to test: n below 2 in an arm, or both constant and equal.</returns>
    public static TTest? Test(Moments a, Moments b) => Test(a, b, a.Count, b.Count);

    /// <summary>The same with fewer independent iterations than there are, because neighbours resemble each other.</summary>
    /// <param name="share">n_eff/n, above 0 and at most 1.</param>
    /// <returns>Null also where n_eff is below 2.</returns>
    public static TTest? Test(Moments a, Moments b, double share) => Test(a, b, a.Count * share, b.Count * share);

    /// <summary>The interval of mean(b) - mean(a).</summary>
    /// <param name="share">n_eff/n; 1 for independent iterations.</param>
    /// <returns>Null where there is nothing to test; two constants that differ give a point.</returns>
    public static Interval? Difference(Moments a, Moments b, double confidence, double share = 1)
    {
        if (Test(a, b, share) is not { } test)
            return null;
        var difference = b.Mean - a.Mean;
        var standardError = Math.Sqrt((a.MeanVariance + b.MeanVariance) / share);
        var reach = standardError == 0 ? 0 : StudentTails.Reach(confidence, test.DegreesOfFreedom) * standardError;
        return new Interval(difference - reach, difference + reach);
    }

    private static TTest? Test(Moments a, Moments b, double na, double nb)
    {
        if (na < 2 || nb < 2)
            return null;
        double va = a.Variance / na, vb = b.Variance / nb;
        if (va + vb == 0)
            return a.Mean == b.Mean ? null : new TTest(b.Mean > a.Mean ? double.PositiveInfinity : double.NegativeInfinity, na + nb - 2, 0);
        var t = (b.Mean - a.Mean) / Math.Sqrt(va + vb);
        // As shares of their sum: the squares of very small variances would be 0. One arm constant gives n - 1 of the other.
        double wa = va / (va + vb), wb = vb / (va + vb);
        var df = 1 / ((wa * wa / (na - 1)) + (wb * wb / (nb - 1)));
        return new TTest(t, df, StudentTails.TwoSided(t, df));
    }
}

/// <summary>
/// Whether values that were read in blocks drift within them: the second half of each block's values against the first, in an analysis of
/// variance with the factors block and half. That blocks differ is no drift.
/// </summary>
/// <param name="Test">Of second less first; null: nothing to test.</param>
public sealed record HalvesTest(double First, double Second, TTest? Test)
{
    /// <param name="blocks">The values of each block, in the order in which they were read. Of an odd number the middle one is of neither
    /// half.</param>
    /// <returns>Null: no block has two values.</returns>
    public static HalvesTest? Compute(IEnumerable<IReadOnlyList<double>> blocks)
    {
        (double[] First, double[] Second)[] halves =
        [
            .. blocks.Where(block => block.Count >= 2)
                .Select(block => (block.Take(block.Count / 2).ToArray(), block.TakeLast(block.Count / 2).ToArray())),
        ];
        if (halves.Length == 0)
            return null;
        double[] first = [.. halves.SelectMany(one => one.First)], second = [.. halves.SelectMany(one => one.Second)];
        var effect = second.Average() - first.Average();
        // What neither its block nor its half explains of a value.
        var rest = halves.Sum(one =>
        {
            var middle = one.First.Concat(one.Second).Average();
            var before = middle - (effect / 2);
            var after = middle + (effect / 2);
            return one.First.Sum(value => Squared(value - before)) + one.Second.Sum(value => Squared(value - after));
        });
        var df = (2 * first.Length) - halves.Length - 1;
        return new(first.Average(), second.Average(), df < 1 ? null : TestOf(effect, rest, df, first.Length));
    }

    private static TTest? TestOf(double effect, double rest, int df, int count)
    {
        if (rest == 0 && effect == 0)
            return null;
        var t = effect / Math.Sqrt(rest / df * 2 / count);
        return new TTest(t, df, StudentTails.TwoSided(t, df));
    }

    private static double Squared(double value) => value * value;
}
