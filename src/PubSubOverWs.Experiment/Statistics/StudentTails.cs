using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Student's t distribution.</summary>
public static class StudentTails
{
    /// <summary>2 * CDF(-|t|): 1 - CDF(|t|) would round everything below 1e-16 to nothing.</summary>
    public static double TwoSided(double t, double degreesOfFreedom) =>
        double.IsInfinity(t) ? 0 : 2 * StudentT.CDF(0, 1, degreesOfFreedom, -Math.Abs(t));

    /// <summary>P(T above <paramref name="t"/>), small ones with their digits.</summary>
    public static double Upper(double t, double degreesOfFreedom) => t switch
    {
        double.PositiveInfinity => 0,
        double.NegativeInfinity => 1,
        _ => StudentT.CDF(0, 1, degreesOfFreedom, -t),
    };

    /// <summary>The t that a two-sided interval of this confidence (0.95, say) reaches to either side.</summary>
    public static double Reach(double confidence, double degreesOfFreedom) =>
        StudentT.InvCDF(0, 1, degreesOfFreedom, (1 + confidence) / 2);
}
