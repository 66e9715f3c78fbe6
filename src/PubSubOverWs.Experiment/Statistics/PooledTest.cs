namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Student's t-test with one pooled variance: the paper's, shown beside Welch's and never decided by.</summary>
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
