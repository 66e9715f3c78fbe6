using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Report.Statistics;

/// <summary>The ratio of two means and its interval by Fieller's theorem (Fieller 1954).</summary>
public static class Ratio
{
    /// <summary>mean(b)/mean(a).</summary>
    /// <returns>Null where mean(a) is 0.</returns>
    public static double? Compute(Moments a, Moments b) => a.Mean == 0 ? null : b.Mean / a.Mean;

    /// <summary>
    /// For independent samples: all R for which mean(b) - R mean(a) does not differ from 0, with Welch's degrees of freedom, so that 1 is
    /// outside exactly where Welch's test rejects.
    /// </summary>
    /// <param name="a">The sample below the line.</param>
    /// <param name="b">The sample above it.</param>
    /// <param name="share">n_eff/n; 1 for independent iterations.</param>
    /// <returns>Null where there is nothing to test, or where mean(a) is not clear of 0 and the interval would have no end.</returns>
    public static Interval? Fieller(Moments a, Moments b, double confidence, double share = 1)
    {
        if (WelchTest.Test(a, b, share) is not { } test)
            return null;
        var t = double.IsInfinity(test.T) ? 0 : StudentTails.Reach(confidence, test.DegreesOfFreedom);
        return Solve(a.Mean, b.Mean, a.MeanVariance / share, b.MeanVariance / share, 0, t);
    }

    /// <summary>For pairs, whose covariance counts; with pairs - 1 degrees of freedom.</summary>
    /// <returns>Null below 2 pairs, or where mean(a) is not clear of 0.</returns>
    public static Interval? PairedFieller(IReadOnlyList<(double A, double B)> pairs, double confidence)
    {
        if (pairs.Count < 2)
            return null;
        var a = Moments.Compute([.. pairs.Select(pair => pair.A)]);
        var b = Moments.Compute([.. pairs.Select(pair => pair.B)]);
        var covariance = pairs.Sum(pair => (pair.A - a.Mean) * (pair.B - b.Mean)) / (pairs.Count - 1) / pairs.Count;
        return Solve(a.Mean, b.Mean, a.MeanVariance, b.MeanVariance, covariance, StudentTails.Reach(confidence, pairs.Count - 1));
    }

    // (b - R a)^2 <= t^2 (v - 2 R c + R^2 u), a quadratic in R.
    private static Interval? Solve(double a, double b, double u, double v, double c, double t)
    {
        var first = (a * a) - (t * t * u);
        var half = (a * b) - (t * t * c);
        if (first <= 0)
            return null;
        // half^2 - first * last, with the leading terms struck out by hand: they would cancel digits away.
        var discriminant = (a * a * v) + (b * b * u) - (2 * a * b * c) - (t * t * ((u * v) - (c * c)));
        var root = t * Math.Sqrt(Math.Max(0, discriminant));
        return new Interval((half - root) / first, (half + root) / first);
    }
}

/// <summary>A lognormal distribution: of network delays, which are never negative and have a long tail to one side.</summary>
/// <param name="Mu">The mean of the logarithm.</param>
/// <param name="Sigma">Its standard deviation: 0 for a constant.</param>
public readonly record struct LogNormal(double Mu, double Sigma)
{
    /// <param name="mean">Above 0.</param>
    /// <param name="deviation">The standard deviation: 0 or more.</param>
    public static LogNormal From(double mean, double deviation)
    {
        var square = Math.Log(1 + (deviation / mean * (deviation / mean)));
        return new LogNormal(Math.Log(mean) - (square / 2), Math.Sqrt(square));
    }

    /// <summary>P(X at most <paramref name="x"/>).</summary>
    public double Cdf(double x) =>
        x <= 0 ? 0
        : Sigma == 0 ? Math.Log(x) >= Mu ? 1 : 0
        : Normal.CDF(Mu, Sigma, Math.Log(x));

    /// <summary>A draw, of two numbers of <paramref name="random"/> (Box and Muller 1958).</summary>
    public double Draw(Random random) => Math.Exp(
        Mu + (Sigma * Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble())));
}
