namespace PubSubOverWs.Report.Statistics;

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

/// <summary>Hochberg's step-up correction for several independent tests (Hochberg 1988). Dependent ones need <see cref="Holm"/>.</summary>
public static class Hochberg
{
    /// <inheritdoc cref="Holm.Adjust"/>
    public static IReadOnlyList<double?> Adjust(IReadOnlyList<double?> p)
    {
        var order = Enumerable.Range(0, p.Count).Where(i => p[i] is not null).OrderByDescending(i => p[i]).ToArray();
        var adjusted = new double?[p.Count];
        var most = 1.0;
        for (var rank = 0; rank < order.Length; rank++)
            adjusted[order[rank]] = most = Math.Min(most, (rank + 1) * p[order[rank]]!.Value);
        return adjusted;
    }
}

/// <summary>
/// Two one-sided tests (Schuirmann 1987): whether a difference is shown to be smaller than a margin, which "not significant" never shows.
/// </summary>
public static class Equivalence
{
    /// <summary>
    /// The p of: mean(b) lies within a share of mean(a) and an absolute margin together, either way (of a ratio: Sasabuchi 1988), with
    /// Welch's degrees of freedom.
    /// </summary>
    /// <remarks>
    /// Without a share it is below 0.05 exactly where the 90 % interval of the difference lies within; without an absolute margin, and
    /// where mean(a) is above 0, exactly where that of <see cref="Ratio.Fieller"/> does.
    /// </remarks>
    /// <param name="share">Of mean(a), from 0 to 1.</param>
    /// <param name="absolute">From 0 on, in the unit of the means.</param>
    /// <returns>Null where there is nothing to test: n below 2 in an arm, or both constant and equal.</returns>
    public static double? Within(Moments a, Moments b, double share, double absolute)
    {
        if (WelchTest.Test(a, b) is not { } test)
            return null;
        double low = 1 - share, high = 1 + share;
        return Larger(
            b.Mean - (low * a.Mean) + absolute,
            b.MeanVariance + (low * low * a.MeanVariance),
            (high * a.Mean) + absolute - b.Mean,
            b.MeanVariance + (high * high * a.MeanVariance),
            test.DegreesOfFreedom);
    }

    private static double Larger(double above, double varianceAbove, double below, double varianceBelow, double df) =>
        Math.Max(StudentTails.Upper(T(above, varianceAbove), df), StudentTails.Upper(T(below, varianceBelow), df));

    // Two constants: within the margin for certain, or not at all. On the margin is not within.
    private static double T(double distance, double variance) =>
        variance > 0 ? distance / Math.Sqrt(variance) : distance > 0 ? double.PositiveInfinity : double.NegativeInfinity;
}
