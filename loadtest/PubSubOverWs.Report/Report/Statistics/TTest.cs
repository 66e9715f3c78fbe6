using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Report.Statistics;

/// <summary>The result of a t-test.</summary>
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
        var (t, df) = (differences.Mean / Math.Sqrt(differences.MeanVariance), differences.Count - 1);
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
