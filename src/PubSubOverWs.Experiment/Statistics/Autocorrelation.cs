namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Whether neighbouring iterations resemble each other, and what that leaves of n.</summary>
public static class Autocorrelation
{
    /// <summary>Below this many values the lag-1 coefficient says too little: not assessed.</summary>
    public const int LeastCount = 20;

    /// <summary>The lag-1 coefficient, of the paired differences in the order in which they ran.</summary>
    /// <returns>Null below <see cref="LeastCount"/> values, or where all are equal.</returns>
    public static double? LagOne(IReadOnlyList<double> series)
    {
        if (series.Count < LeastCount)
            return null;
        var moments = Moments.Of(series);
        if (moments.Variance == 0)
            return null;
        var d = series.Select(x => x - moments.Mean).ToArray();
        return Enumerable.Range(0, d.Length - 1).Sum(i => d[i] * d[i + 1]) / d.Sum(x => x * x);
    }

    /// <summary>n_eff/n = (1 - r)/(1 + r); 1 where r is not above 0: alternation is no reason to trust more.</summary>
    public static double EffectiveShare(double r) => r > 0 ? (1 - r) / (1 + r) : 1;
}
