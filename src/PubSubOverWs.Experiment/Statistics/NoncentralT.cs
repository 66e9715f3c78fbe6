using MathNet.Numerics;
using MathNet.Numerics.Distributions;

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
