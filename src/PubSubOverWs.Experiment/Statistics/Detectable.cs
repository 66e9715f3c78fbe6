using MathNet.Numerics.RootFinding;

namespace PubSubOverWs.Experiment.Statistics;

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
