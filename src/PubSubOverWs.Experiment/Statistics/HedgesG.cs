using MathNet.Numerics;

namespace PubSubOverWs.Experiment.Statistics;

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

    /// <summary>J(df) = Gamma(df/2) / (sqrt(df/2) Gamma((df - 1)/2)); df is at least 2.</summary>
    public static double Correction(int df) =>
        Math.Exp(SpecialFunctions.GammaLn(df / 2.0) - SpecialFunctions.GammaLn((df - 1) / 2.0)) / Math.Sqrt(df / 2.0);
}
