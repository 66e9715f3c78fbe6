using MathNet.Numerics;
using MathNet.Numerics.RootFinding;

namespace PubSubOverWs.Report.Statistics;

/// <summary>The standardized difference of two means, freed of its bias in small samples (Hedges 1981).</summary>
public static class HedgesG
{
    /// <summary>mean(b) - mean(a), in pooled standard deviations, with the exact correction.</summary>
    /// <returns>Null where there is no spread to measure by, or n is below 2 in an arm.</returns>
    public static double? Of(Moments a, Moments b)
    {
        if (a.Count < 2 || b.Count < 2 || PooledTest.Variance(a, b) is var pooled && pooled == 0)
            return null;
        return Correction(a.Count + b.Count - 2) * (b.Mean - a.Mean) / Math.Sqrt(pooled);
    }

    /// <summary>
    /// The exact interval of the true difference, which g estimates: every one under which the observed t is within both tails. It needs no
    /// correction, since no estimate is in it.
    /// </summary>
    /// <returns>Null where <see cref="Of"/> is.</returns>
    public static Interval? IntervalOf(Moments a, Moments b, double confidence)
    {
        if (PooledTest.Test(a, b) is not { } test || PooledTest.Variance(a, b) == 0)
            return null;
        var unit = Math.Sqrt((1.0 / a.Count) + (1.0 / b.Count));
        var tail = (1 - confidence) / 2;
        return new Interval(
            unit * Noncentrality(test.T, test.DegreesOfFreedom, 1 - tail), unit * Noncentrality(test.T, test.DegreesOfFreedom, tail));
    }

    // Where P(T at most t) has this value; it falls as the noncentrality grows.
    private static double Noncentrality(double t, double df, double probability)
    {
        double Miss(double noncentrality) => NoncentralT.Cdf(t, df, noncentrality) - probability;
        var reach = 5 * Math.Sqrt(1 + (t * t / (2 * df)));
        var (low, high) = (t - reach, t + reach);
        while (Miss(low) < 0)
            low -= reach;
        while (Miss(high) > 0)
            high += reach;
        return Brent.FindRoot(Miss, low, high, 1e-10 * Math.Max(1, Math.Abs(t)), 200);
    }

    /// <summary>J(df) = Gamma(df/2) / (sqrt(df/2) Gamma((df - 1)/2)); df is at least 2.</summary>
    public static double Correction(int df) =>
        Math.Exp(SpecialFunctions.GammaLn(df / 2.0) - SpecialFunctions.GammaLn((df - 1) / 2.0)) / Math.Sqrt(df / 2.0);
}
