namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Whether losses fall like independent events over the iterations.</summary>
public static class Dispersion
{
    /// <summary>Up to here losses may be counted as independent messages.</summary>
    public const double LargestForMessages = 1.5;

    /// <summary>variance/mean of the counts: about 1 for independent events, above for losses that come together.</summary>
    /// <returns>Null below two iterations, or where nothing was lost.</returns>
    public static double? Index(IReadOnlyCollection<double> counts)
    {
        var moments = Moments.Of(counts);
        return moments.Count < 2 || moments.Mean == 0 ? null : moments.Variance / moments.Mean;
    }
}
