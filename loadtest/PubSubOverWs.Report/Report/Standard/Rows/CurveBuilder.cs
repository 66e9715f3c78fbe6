using PubSubOverWs.Record.Latency;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>Merges what the iterations of a level have in latency.hlog. Percentiles are never averaged.</summary>
internal static class CurveBuilder
{
    /// <summary>The percentiles that are given as numbers.</summary>
    public static readonly IReadOnlyList<double> Percents = [50, 90, 99, 99.9];

    // As many messages as must be on either side of a percentile that is given as a number.
    private const double FewestBeyond = 10;
    private static readonly double[] Steps = [1, 1.5, 2, 3, 5, 7];

    /// <summary>One percentile of all messages, in ms.</summary>
    /// <param name="percent">Such as 99.</param>
    /// <returns>Null: the record does not have the distribution of every iteration, or too few messages lie beyond.</returns>
    public static double? PercentileOf(RunFolder folder, ArmLevel level, double percent)
    {
        var parts = Parts(folder, level);
        var all = Distribution.Merge(parts);
        return parts.Count == level.Rows.Count && HasBeyond(all.Count, percent) ? Ms(all, percent / 100) : null;
    }

    /// <returns>Null: the record does not have the distribution of every iteration, or nothing was delivered.</returns>
    public static LatencyCurve? Of(RunFolder folder, ArmLevel level)
    {
        var parts = Parts(folder, level);
        var all = Distribution.Merge(parts);
        if (parts.Count < level.Rows.Count || all.Count == 0)
            return null;
        return new LatencyCurve(
            all.Count,
            [.. Percents.Where(percent => HasBeyond(all.Count, percent))
                .Select(percent => new Percentile(percent, Ms(all, percent / 100), Ms95(parts, percent / 100)))],
            [.. OneIns(all.Count).Select(oneIn => new CurvePoint(oneIn, Ms(all, 1 - (1 / oneIn))))]);
    }

    /// <summary>Of the iterations that count and have one, in the order in which they ran.</summary>
    public static IReadOnlyList<Distribution> Parts(RunFolder folder, ArmLevel level) =>
        [.. level.Rows.Select(folder.LatencyOf).OfType<Distribution>()];

    private static bool HasBeyond(long count, double percent) => count * (1 - (percent / 100)) >= FewestBeyond - 1e-6;

    // Six to each power of ten, as far as there is a message beyond.
    private static IEnumerable<double> OneIns(long count)
    {
        for (var power = 1.0; power <= count; power *= 10)
        {
            foreach (var step in Steps.Where(step => step * power <= count))
                yield return step * power;
        }
    }

    private static double Ms(LatencyHistogram all, double share) => all.ValueAt(share)!.Value.TotalMilliseconds;

    private static Interval? Ms95(IReadOnlyList<Distribution> parts, double share) =>
        Bootstrap.OfQuantile(parts, share, 0.95) is { } us ? new Interval(us.Low / 1000, us.High / 1000) : null;
}
