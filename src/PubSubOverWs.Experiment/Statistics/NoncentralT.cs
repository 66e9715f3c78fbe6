using MathNet.Numerics;
using MathNet.Numerics.Distributions;
using MathNet.Numerics.RootFinding;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>
/// The noncentral t distribution: of t where there is a difference. For the power of a test, and the interval of Hedges' g.
/// </summary>
public static class NoncentralT
{
    /// <summary>
    /// P(T at most <paramref name="t"/>), by integration over the standard deviation: series underflow from a noncentrality of 38 on.
    /// </summary>
    /// <param name="t">Finite.</param>
    /// <param name="df">Degrees of freedom, at least 1.</param>
    /// <param name="noncentrality">The expected difference over its true standard error.</param>
    public static double Cdf(double t, double df, double noncentrality)
    {
        var scale = (df / 2 * Math.Log(df / 2)) - SpecialFunctions.GammaLn(df / 2) + Math.Log(2);
        double Integrand(double s) =>
            s <= 0 ? 0 : Normal.CDF(0, 1, (t * s) - noncentrality) * Math.Exp(scale + ((df - 1) * Math.Log(s)) - (df * s * s / 2));
        // s is the sample's standard deviation in true ones: near 1, with a deviation of 1/sqrt(2 df).
        var reach = 9 / Math.Sqrt(2 * df);
        var (low, high) = (Math.Max(0, 1 - reach), 1 + reach + (2 / df));
        // Where t is large the integrand is a step: it is split there.
        var step = t == 0 ? 1 : Math.Clamp(noncentrality / t, low, high);
        return Math.Clamp(Over(low, step) + Over(step, high), 0, 1);

        double Over(double from, double to) => to <= from ? 0 : Integrate.GaussKronrod(Integrand, from, to, 1e-11, 20);
    }

    /// <summary>How often the two-sided pooled test with n in each arm finds a true difference.</summary>
    /// <param name="effect">The difference in true standard deviations.</param>
    /// <param name="count">n, at least 2.</param>
    /// <param name="alpha">For example 0.05.</param>
    public static double Power(double effect, int count, double alpha)
    {
        var df = (2 * count) - 2;
        var noncentrality = effect * Math.Sqrt(count / 2.0);
        var reach = StudentTails.Reach(1 - alpha, df);
        return 1 - Cdf(reach, df, noncentrality) + Cdf(-reach, df, noncentrality);
    }
}

/// <summary>What a test could have found: the difference that it tells from none four times in five.</summary>
public static class Detectable
{
    public const double Power = 0.8;

    /// <summary>In standard errors of the difference: two-sided at 0.05, with a power of <see cref="Power"/>.</summary>
    /// <param name="degreesOfFreedom">At least 1.</param>
    public static double InStandardErrors(double degreesOfFreedom)
    {
        var reach = StudentTails.Reach(0.95, degreesOfFreedom);
        return Brent.FindRoot(
            difference =>
                1 - NoncentralT.Cdf(reach, degreesOfFreedom, difference) + NoncentralT.Cdf(-reach, degreesOfFreedom, difference) - Power,
            0, 10 * (reach + 1), 1e-9, 200);
    }

    /// <summary>The smallest |R - 1| that the test of a row tells from none, with the scatter that it found.</summary>
    /// <returns>Null where there was nothing to test, or nothing scattered.</returns>
    public static double? Ratio(Evidence evidence, Moments first) =>
        evidence is { Test: { } test, Difference: not 0 and var difference } && double.IsFinite(test.T) && first.Mean != 0 && test.T != 0
            ? Math.Abs(difference / test.T / first.Mean) * InStandardErrors(test.DegreesOfFreedom)
            : null;
}
