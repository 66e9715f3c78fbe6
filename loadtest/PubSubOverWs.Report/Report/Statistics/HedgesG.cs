using MathNet.Numerics;
using MathNet.Numerics.Distributions;
using MathNet.Numerics.RootFinding;

namespace PubSubOverWs.Report.Statistics;

/// <summary>The standardized difference of two means, freed of its bias in small samples (Hedges 1981).</summary>
public static class HedgesG
{
    /// <summary>mean(b) - mean(a), in pooled standard deviations, with the exact correction.</summary>
    /// <returns>Null where there is no spread to measure by, or n is below 2 in an arm.</returns>
    public static double? Compute(Moments a, Moments b)
    {
        if (a.Count < 2 || b.Count < 2 || PooledTest.Variance(a, b) is var pooled && pooled == 0)
            return null;
        return Correction(a.Count + b.Count - 2) * (b.Mean - a.Mean) / Math.Sqrt(pooled);
    }

    /// <summary>
    /// The exact interval of the true difference, which g estimates: every one under which the observed t is within both tails. It needs no
    /// correction, since no estimate is in it.
    /// </summary>
    /// <returns>Null where <see cref="Compute"/> is.</returns>
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
        var low = t - reach;
        var high = t + reach;
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

/// <summary>The noncentral t distribution, of t under a true difference: for the power of a test and the interval of Hedges' g.</summary>
public static class NoncentralT
{
    /// <summary>P(T at most <paramref name="t"/>), by integration over the standard deviation: series underflow from 38 on.</summary>
    /// <param name="t">Finite.</param>
    /// <param name="df">At least 1.</param>
    /// <param name="noncentrality">The expected difference over its true standard error.</param>
    public static double Cdf(double t, double df, double noncentrality)
    {
        var scale = (df / 2 * Math.Log(df / 2)) - SpecialFunctions.GammaLn(df / 2) + Math.Log(2);
        double Integrand(double s) =>
            s <= 0 ? 0 : Normal.CDF(0, 1, (t * s) - noncentrality) * Math.Exp(scale + ((df - 1) * Math.Log(s)) - (df * s * s / 2));
        // s, the sample's standard deviation over the true one, is near 1 with a deviation of 1/sqrt(2 df).
        var reach = 9 / Math.Sqrt(2 * df);
        var low = Math.Max(0, 1 - reach);
        var high = 1 + reach + (2 / df);
        // For large t the integrand is a step, so the interval is split there.
        var step = t == 0 ? 1 : Math.Clamp(noncentrality / t, low, high);
        return Math.Clamp(Over(low, step) + Over(step, high), 0, 1);

        double Over(double from, double to) => to <= from ? 0 : Integrate.GaussKronrod(Integrand, from, to, 1e-11, 20);
    }

    /// <summary>The power of the two-sided pooled test with n in each arm.</summary>
    /// <param name="effect">The difference in true standard deviations.</param>
    /// <param name="count">n, at least 2.</param>
    /// <param name="alpha">Such as 0.05.</param>
    public static double Power(double effect, int count, double alpha)
    {
        var df = (2 * count) - 2;
        return Rejected(StudentTails.Reach(1 - alpha, df), df, effect * Math.Sqrt(count / 2.0));
    }

    /// <summary>P(|T| above <paramref name="reach"/>).</summary>
    internal static double Rejected(double reach, double df, double noncentrality) =>
        1 - Cdf(reach, df, noncentrality) + Cdf(-reach, df, noncentrality);
}

/// <summary>The difference that a two-sided test at 0.05 detects with a power of 80 %.</summary>
public static class Detectable
{
    /// <summary>In standard errors of the difference.</summary>
    /// <param name="degreesOfFreedom">At least 1.</param>
    public static double InStandardErrors(double degreesOfFreedom)
    {
        var reach = StudentTails.Reach(0.95, degreesOfFreedom);
        return Brent.FindRoot(
            difference => NoncentralT.Rejected(reach, degreesOfFreedom, difference) - 0.8, 0, 10 * (reach + 1), 1e-9, 200);
    }

    /// <summary>The smallest |R - 1| that the test of a row detects, given its scatter.</summary>
    /// <returns>Null where there was nothing to test, or no scatter.</returns>
    public static double? Ratio(Evidence evidence, Moments first) =>
        evidence is { Test: { } test, Difference: not 0 and var difference } && double.IsFinite(test.T) && first.Mean != 0 && test.T != 0
            ? Math.Abs(difference / test.T / first.Mean) * InStandardErrors(test.DegreesOfFreedom)
            : null;
}
