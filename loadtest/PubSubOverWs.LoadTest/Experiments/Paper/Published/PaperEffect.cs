namespace PubSubOverWs.LoadTest.Experiments.Paper.Published;

/// <summary>The size of a published difference, from the printed means and deviations.</summary>
/// <param name="Table">II, III or IV.</param>
/// <param name="HolmP">Welch's p, corrected over the rows of the table.</param>
/// <param name="Difference">The 95 % interval of pubsub - direct.</param>
/// <param name="Ratio">pubsub/direct.</param>
/// <param name="Power">The power of 30 iterations for the printed difference at 0.05.</param>
public sealed record PaperEffect(
    string Table, int Users, double? HolmP, Interval? Difference, double Ratio, Interval? RatioInterval, double? G, Interval? GInterval,
    double Power)
{
    /// <summary>All rows that have two means: Tables II, III and IV.</summary>
    public static IReadOnlyList<PaperEffect> All(PublishedPaper paper) =>
        [.. From(paper, "II", paper.LostMessages), .. From(paper, "III", paper.Latency), .. From(paper, "IV", paper.BandwidthOut)];

    private static IEnumerable<PaperEffect> From(PublishedPaper paper, string table, IReadOnlyList<PublishedRow> rows)
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
            Report.Statistics.Ratio.Fieller(row.Direct, row.PubSub, 0.95),
            HedgesG.Compute(row.Direct, row.PubSub),
            HedgesG.IntervalOf(row.Direct, row.PubSub, 0.95),
            Found(row.Direct, row.PubSub)));
    }

    private static double Found(Moments direct, Moments pubsub) =>
        NoncentralT.Power((pubsub.Mean - direct.Mean) / Math.Sqrt(PooledTest.Variance(direct, pubsub)), direct.Count, 0.05);
}

/// <summary>The published bandwidth compared with the delivered messages.</summary>
/// <param name="Delivered">Delivered messages, pubsub/direct, by Table I.</param>
/// <param name="Bandwidth">Bandwidth out, pubsub/direct, by Table IV.</param>
public sealed record DeliveredRatio(int Users, double Delivered, double Bandwidth)
{
    /// <summary>Bandwidth out for one delivered message, pubsub/direct.</summary>
    public double PerMessage => Bandwidth / Delivered;

    public static IReadOnlyList<DeliveredRatio> All(PublishedPaper paper) =>
        [.. paper.Loss.Join(paper.BandwidthOut, loss => loss.Users, row => row.Users, (loss, row) =>
            new DeliveredRatio(row.Users, loss.PubSub.Success / loss.Direct.Success, row.Ratio))];
}

/// <summary>The variation of published losses between iterations, compared with independent losses of messages.</summary>
/// <param name="Users">The level, and the messages of one iteration.</param>
/// <param name="Group">direct or pubsub.</param>
/// <param name="Lost">Printed mean of lost messages, and its deviation.</param>
/// <param name="Share">The printed variance over N p (1 - p): 1 for independent losses.</param>
public sealed record LossSpread(int Users, string Group, PublishedArm Lost, double Share)
{
    public static IReadOnlyList<LossSpread> All(PublishedPaper paper) =>
        [
            .. paper.LostMessages.SelectMany(row =>
                new[] { Compute(row.Users, "direct", row.Direct), Compute(row.Users, "pubsub", row.PubSub) }),
        ];

    private static LossSpread Compute(int users, string group, PublishedArm lost) =>
        new(users, group, lost, lost.Sd.Value * lost.Sd.Value / (lost.Mean.Value * (1 - (lost.Mean.Value / users))));
}

/// <summary>A published p compared with the p of the printed means and deviations.</summary>
/// <param name="Table">II, III or IV.</param>
/// <param name="Pooled">By Student's pooled test.</param>
/// <param name="PooledAttainable">Whether values that round to the printed ones can have the printed p; null: no p is printed.</param>
/// <param name="Welch">By Welch's test.</param>
/// <param name="WelchAttainable">The same for Welch's test.</param>
public sealed record PaperCheck(string Table, PublishedRow Row, double Pooled, bool? PooledAttainable, double Welch, bool? WelchAttainable)
{
    /// <summary>All rows that have two means: Tables III, IV and II.</summary>
    public static IReadOnlyList<PaperCheck> All(PublishedPaper paper) =>
    [
        .. paper.Latency.Select(row => From(paper, "III", row)),
        .. paper.BandwidthOut.Select(row => From(paper, "IV", row)),
        .. paper.LostMessages.Select(row => From(paper, "II", row)),
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
        var a = row.Direct.Sd;
        var b = row.PubSub.Sd;
        TTest At(double mean, double first, double second) => test(new(count, 0, Square(first)), new(count, mean, Square(second)))!;
        var freedom = new List<double> { At(distance, a.Low, b.High).DegreesOfFreedom, At(distance, a.High, b.Low).DegreesOfFreedom };
        if (a.Low <= b.High && b.Low <= a.High)
            freedom.Add(At(distance, 1, 1).DegreesOfFreedom);
        return new Interval(
            StudentTails.TwoSided(At(distance + rounding, a.Low, b.Low).T, freedom.Max()),
            StudentTails.TwoSided(At(Math.Max(0, distance - rounding), a.High, b.High).T, freedom.Min()));
    }

    private static PaperCheck From(PublishedPaper paper, string table, PublishedRow row)
    {
        var direct = row.Direct.Moments(paper.Iterations);
        var pubsub = row.PubSub.Moments(paper.Iterations);
        return new PaperCheck(
            table, row, PooledTest.Test(direct, pubsub)!.P, Attainable(row, paper.Iterations, PooledTest.Test),
            WelchTest.Test(direct, pubsub)!.P, Attainable(row, paper.Iterations, WelchTest.Test));
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
