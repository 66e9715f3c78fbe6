namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Student's test of paired differences against 0; here of block means, because iterations of one block share a process.</summary>
public static class PairedTest
{
    /// <param name="differences">pubsub - direct, one per block.</param>
    /// <returns>Null where there is nothing to test: fewer than 2, or all 0.</returns>
    public static TTest? Test(IReadOnlyCollection<double> differences)
    {
        if (differences.Count < 2)
            return null;
        var d = Moments.Of(differences);
        var df = d.Count - 1;
        if (d.Variance == 0)
            return d.Mean == 0 ? null : new TTest(d.Mean > 0 ? double.PositiveInfinity : double.NegativeInfinity, df, 0);
        var t = d.Mean / Math.Sqrt(d.MeanVariance);
        return new TTest(t, df, StudentTails.TwoSided(t, df));
    }

    /// <summary>The interval of their mean; a point where all are equal.</summary>
    /// <returns>Null below 2 differences.</returns>
    public static Interval? Difference(IReadOnlyCollection<double> differences, double confidence)
    {
        if (differences.Count < 2)
            return null;
        var d = Moments.Of(differences);
        var reach = d.Variance == 0 ? 0 : StudentTails.Reach(confidence, d.Count - 1) * Math.Sqrt(d.MeanVariance);
        return new Interval(d.Mean - reach, d.Mean + reach);
    }
}
