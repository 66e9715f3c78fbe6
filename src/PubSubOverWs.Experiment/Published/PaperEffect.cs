using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Published;

/// <summary>How large a published difference is, from the printed means and deviations.</summary>
/// <param name="Table">II, III or IV.</param>
/// <param name="Users">The level.</param>
/// <param name="HolmP">Welch's p, corrected over the rows of the table.</param>
/// <param name="Difference">The 95 % interval of pubsub - direct.</param>
/// <param name="Ratio">pubsub/direct.</param>
/// <param name="RatioInterval">Its 95 % interval.</param>
/// <param name="G">Hedges' g.</param>
/// <param name="GInterval">Its 95 % interval.</param>
/// <param name="Power">How often 30 iterations find a difference as large as the printed one at 0.05.</param>
public sealed record PaperEffect(
    string Table, int Users, double? HolmP, Interval? Difference, double Ratio, Interval? RatioInterval, double? G, Interval? GInterval,
    double Power)
{
    /// <summary>All rows that have two means: Tables II, III and IV.</summary>
    public static IReadOnlyList<PaperEffect> All(Paper paper) =>
        [.. Of(paper, "II", paper.LostMessages), .. Of(paper, "III", paper.Latency), .. Of(paper, "IV", paper.BandwidthOut)];

    private static IEnumerable<PaperEffect> Of(Paper paper, string table, IReadOnlyList<PublishedRow> rows)
    {
        var arms = rows.Select(row => (Direct: row.Direct.Moments(paper.Iterations), PubSub: row.PubSub.Moments(paper.Iterations)))
            .ToArray();
        var holm = Holm.Adjust([.. arms.Select(row => WelchTest.Test(row.Direct, row.PubSub)?.P)]);
        return rows.Zip(arms, (row, arm) => (row.Users, row.Ratio, arm.Direct, arm.PubSub)).Select((row, i) => new PaperEffect(
            table,
            row.Users,
            holm[i],
            WelchTest.Difference(row.Direct, row.PubSub, 0.95),
            row.Ratio,
            Statistics.Ratio.Fieller(row.Direct, row.PubSub, 0.95),
            HedgesG.Of(row.Direct, row.PubSub),
            HedgesG.IntervalOf(row.Direct, row.PubSub, 0.95),
            Found(row.Direct, row.PubSub)));
    }

    /// <summary>How often the paper's iterations and deviations find a difference as large as the printed one at 0.05.</summary>
    /// <param name="row">With deviations above 0.</param>
    /// <param name="iterations">Of each group.</param>
    public static double PowerOf(PublishedRow row, int iterations) => Found(row.Direct.Moments(iterations), row.PubSub.Moments(iterations));

    private static double Found(Moments direct, Moments pubsub) =>
        NoncentralT.Power((pubsub.Mean - direct.Mean) / Math.Sqrt(PooledTest.Variance(direct, pubsub)), direct.Count, 0.05);
}
