namespace PubSubOverWs.Report.Statistics;

/// <summary>Welch's t-test of two means without the assumption that the variances are equal (Welch 1947).</summary>
public static class WelchTest
{
    /// <summary>Tests <paramref name="b"/> against <paramref name="a"/>.</summary>
    /// <returns>Null where there is nothing to test: n below 2 in an arm, or both constant and equal.</returns>
    public static TTest? Test(Moments a, Moments b) => Test(a, b, a.Count, b.Count);

    /// <summary>The same with fewer independent iterations than there are, because neighbours resemble each other.</summary>
    /// <param name="a">The first sample.</param>
    /// <param name="b">The second.</param>
    /// <param name="share">n_eff/n, above 0 and at most 1.</param>
    /// <returns>Null also where n_eff is below 2.</returns>
    public static TTest? Test(Moments a, Moments b, double share) => Test(a, b, a.Count * share, b.Count * share);

    /// <summary>The interval of mean(b) - mean(a).</summary>
    /// <param name="a">The first sample.</param>
    /// <param name="b">The second.</param>
    /// <param name="confidence">For example 0.95.</param>
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
