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
    public static LatencyCurve? From(RunFolder folder, ArmLevel level)
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

/// <summary>The points of figures.</summary>
/// <param name="Loss">Percent of sent messages, for each level and arm that has readings.</param>
/// <param name="Latency">ms, for each level and arm that has readings.</param>
/// <param name="Iterations">Every row that was not superseded, in the order in which they ran; floor and warm-up among them.</param>
/// <param name="Events">All of events.csv, starting and stopping too.</param>
public sealed record FigurePoints(
    IReadOnlyList<ArmPoint> Loss, IReadOnlyList<ArmPoint> Latency, IReadOnlyList<IterationPoint> Iterations,
    IReadOnlyList<EventRow> Events);

/// <summary>One metric of one arm at one level.</summary>
/// <param name="Count">n, the number of iterations.</param>
/// <param name="Mean">Over iterations.</param>
/// <param name="Sd">With n - 1; null below two iterations.</param>
/// <param name="Mean95">Student's 95 % interval of the mean; null below two iterations.</param>
/// <param name="PublishedMean">Null: not published.</param>
/// <param name="PublishedSd">Null: not published.</param>
public sealed record ArmPoint(
    string Arm, int Users, int Count, double Mean, double? Sd, Interval? Mean95, double? PublishedMean, double? PublishedSd);

/// <summary>One arm in one iteration, as figures show it.</summary>
/// <param name="Arm">An arm, or floor.</param>
/// <param name="Block">From 1.</param>
/// <param name="Iteration">Unique over the run; the arms of a pair share it.</param>
/// <param name="WarmUp">Recorded and not judged.</param>
/// <param name="StartSeconds">From the start of the run.</param>
/// <param name="Seconds">Connecting, burst and drain.</param>
/// <param name="LatencyMs">The mean of delivered messages; null: none.</param>
/// <param name="LossPercent">Of sent messages; null: none was sent.</param>
public sealed record IterationPoint(
    string Arm, int Users, int Block, int Iteration, bool WarmUp, double StartSeconds, double Seconds, double? LatencyMs,
    double? LossPercent);
