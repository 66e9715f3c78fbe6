using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Holm's step-down correction for several tests (Holm 1979).</summary>
public static class Holm
{
    /// <summary>The adjusted p in the order given. Null stays null and is no test: it does not count.</summary>
    public static IReadOnlyList<double?> Adjust(IReadOnlyList<double?> p)
    {
        var order = Enumerable.Range(0, p.Count).Where(i => p[i] is not null).OrderBy(i => p[i]).ToArray();
        var adjusted = new double?[p.Count];
        var least = 0.0;
        for (var rank = 0; rank < order.Length; rank++)
        {
            least = Math.Max(least, Math.Min(1, (order.Length - rank) * p[order[rank]]!.Value));
            adjusted[order[rank]] = least;
        }

        return adjusted;
    }
}

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
