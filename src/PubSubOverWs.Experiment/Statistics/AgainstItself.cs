using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>The A/A criterion: two separately started instances of one server may differ no more often than chance lets them.</summary>
public static class AgainstItself
{
    /// <summary>Where a test rejects.</summary>
    public const double Alpha = 0.05;

    // A good set-up fails in at most one case of a hundred.
    private const double FalseAlarm = 0.01;

    /// <summary>So many rejections at 0.05 are still chance: 4 of 18, 11 of 100, 28 of 360. More fail the set-up.</summary>
    /// <param name="tests">How many were tested, at least 0.</param>
    public static int MostRejections(int tests) =>
        Enumerable.Range(0, tests + 1).First(most => most == tests || 1 - Binomial.CDF(Alpha, tests, most) <= FalseAlarm);
}
