namespace PubSubOverWs.LoadTest.Experiments.Paper.Published;

/// <summary>A published p compared with the p of the printed means and deviations.</summary>
/// <param name="Table">II, III or IV.</param>
/// <param name="Row">As printed.</param>
/// <param name="Pooled">By Student's pooled test.</param>
/// <param name="PooledAttainable">Whether values that round to the printed ones can have the printed p; null: no p is printed.</param>
/// <param name="Welch">By Welch's test.</param>
/// <param name="WelchAttainable">The same for Welch's test.</param>
public sealed record PaperCheck(string Table, PublishedRow Row, double Pooled, bool? PooledAttainable, double Welch, bool? WelchAttainable)
{
    /// <summary>All rows that have two means: Tables III, IV and II.</summary>
    public static IReadOnlyList<PaperCheck> All(PublishedPaper paper) =>
    [
        .. paper.Latency.Select(row => Of(paper, "III", row)),
        .. paper.BandwidthOut.Select(row => Of(paper, "IV", row)),
        .. paper.LostMessages.Select(row => Of(paper, "II", row)),
    ];

    /// <summary>Contains the p of all values that round to the printed ones; for the pooled test its ends are attained.</summary>
    /// <remarks>
    /// By interval arithmetic: p falls as |t| or the degrees of freedom rise. |t| is largest with the means far apart and both deviations
    /// small. Welch's degrees of freedom depend on the ratio of the deviations alone, and are most where these are equal.
    /// </remarks>
    public static Interval Range(PublishedRow row, int count, Func<Moments, Moments, TTest?> test)
    {
        var rounding = row.Direct.Mean.HalfUnit + row.PubSub.Mean.HalfUnit;
        var distance = Math.Abs(row.PubSub.Mean.Value - row.Direct.Mean.Value);
        var (a, b) = (row.Direct.Sd, row.PubSub.Sd);
        TTest At(double mean, double first, double second) => test(new(count, 0, Square(first)), new(count, mean, Square(second)))!;
        var freedom = new List<double> { At(distance, a.Low, b.High).DegreesOfFreedom, At(distance, a.High, b.Low).DegreesOfFreedom };
        if (a.Low <= b.High && b.Low <= a.High)
            freedom.Add(At(distance, 1, 1).DegreesOfFreedom);
        return new Interval(
            StudentTails.TwoSided(At(distance + rounding, a.Low, b.Low).T, freedom.Max()),
            StudentTails.TwoSided(At(Math.Max(0, distance - rounding), a.High, b.High).T, freedom.Min()));
    }

    private static PaperCheck Of(PublishedPaper paper, string table, PublishedRow row)
    {
        var (direct, pubsub) = (row.Direct.Moments(paper.Iterations), row.PubSub.Moments(paper.Iterations));
        return new PaperCheck(
            table, row, PooledTest.Test(direct, pubsub)!.P,
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
