using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Published;

/// <summary>A published p held against the p of the printed means and deviations.</summary>
/// <param name="Table">II, III or IV.</param>
/// <param name="Row">What is printed.</param>
/// <param name="Pooled">By Student's pooled test.</param>
/// <param name="PooledAttainable">Whether the printed p can come out of values that round to the printed ones; null: no p is printed.</param>
/// <param name="Welch">By Welch's test.</param>
/// <param name="WelchAttainable">The same for Welch's test.</param>
public sealed record PaperCheck(string Table, PublishedRow Row, double Pooled, bool? PooledAttainable, double Welch, bool? WelchAttainable)
{
    /// <summary>All rows that have two means: Tables III, IV and II.</summary>
    public static IReadOnlyList<PaperCheck> All(Paper paper) =>
    [
        .. paper.Latency.Select(row => Of(paper, "III", row)),
        .. paper.BandwidthOut.Select(row => Of(paper, "IV", row)),
        .. paper.LostMessages.Select(row => Of(paper, "II", row)),
    ];

    /// <summary>The smallest and the largest p of values that round to the printed ones.</summary>
    /// <remarks>p falls with the distance of the means and rises with either deviation, so that the extremes lie in corners.</remarks>
    public static Interval Range(PublishedRow row, int count, Func<Moments, Moments, TTest?> test)
    {
        var rounding = row.Direct.Mean.HalfUnit + row.PubSub.Mean.HalfUnit;
        var distance = Math.Abs(row.PubSub.Mean.Value - row.Direct.Mean.Value);
        var smallest = test(new(count, 0, Square(row.Direct.Sd.Low)), new(count, distance + rounding, Square(row.PubSub.Sd.Low)));
        var largest = test(new(count, 0, Square(row.Direct.Sd.High)), new(count, Math.Max(0, distance - rounding), Square(row.PubSub.Sd.High)));
        return new Interval(smallest!.P, largest!.P);
    }

    private static PaperCheck Of(Paper paper, string table, PublishedRow row)
    {
        var (direct, pubsub) = (row.Direct.Moments(paper.Iterations), row.PubSub.Moments(paper.Iterations));
        return new PaperCheck(
            table,
            row,
            PooledTest.Test(direct, pubsub)!.P,
            Attainable(row, paper.Iterations, PooledTest.Test),
            WelchTest.Test(direct, pubsub)!.P,
            Attainable(row, paper.Iterations, WelchTest.Test));
    }

    private static bool? Attainable(PublishedRow row, int count, Func<Moments, Moments, TTest?> test)
    {
        if (row.P is not { } printed)
            return null;
        var range = Range(row, count, test);
        return range.Low <= printed.High && printed.Low <= range.High;
    }

    private static double Square(double x) => x * x;
}
