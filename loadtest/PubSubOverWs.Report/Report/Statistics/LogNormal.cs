using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Report.Statistics;

/// <summary>A lognormal distribution: of network delays, which are never negative and have a long tail to one side.</summary>
/// <param name="Mu">The mean of the logarithm.</param>
/// <param name="Sigma">Its standard deviation: 0 for a constant.</param>
public readonly record struct LogNormal(double Mu, double Sigma)
{
    /// <param name="mean">Above 0.</param>
    /// <param name="deviation">The standard deviation: 0 or more.</param>
    public static LogNormal Of(double mean, double deviation)
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
