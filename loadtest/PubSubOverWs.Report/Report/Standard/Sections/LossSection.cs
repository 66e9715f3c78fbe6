using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Sections;

/// <summary>Where the messages ended, and why those that were lost were lost.</summary>
internal static class LossSection
{
    private const int MaxEvents = 20;

    /// <param name="events">Events other than the starting and stopping of processes.</param>
    /// <param name="isDisturbed">True: something is done on purpose that takes messages.</param>
    public static IEnumerable<Block> Write(IReadOnlyList<LossRow> losses, IReadOnlyList<EventRow> events, bool isDisturbed)
    {
        yield return new Heading(2, "Outcomes of messages");
        yield return Outcomes(losses);
        LossRow[] lossy = [.. losses.Where(row => row.Buckets.Lost > 0)];
        foreach (var block in lossy.Length > 0 ? CausesOf(lossy, isDisturbed) : [])
            yield return block;
        yield return new Paragraph($"Bounds on iterations, exact, two-sided 95 %: {Bounds(losses)}.");
        yield return new Paragraph(Guarantee(losses));
        // Fault actions are counted in the fault's own section and would displace unexpected events here.
        EventRow[] unordered = [.. events.Where(one => !one.IsOrdered)];
        if (unordered.Length == 0)
            yield break;
        yield return new Paragraph(unordered.Length > MaxEvents
            ? $"The first {MaxEvents} of {unordered.Length} events other than the starting and stopping of processes (report.json has "
                + "all of them):"
            : "Events other than the starting and stopping of processes:");
        yield return new BulletList(unordered.Take(MaxEvents)
            .Select(one => $"{Format.Fixed(one.At.TotalSeconds, 1)} s, {one.Kind}, {one.Target}: {one.Detail}"));
    }

    private static Table Outcomes(IReadOnlyList<LossRow> losses) =>
        Table.From(
            losses,
            ("users", row => Format.Whole(row.Users)),
            ("arm", row => row.Arm),
            ("n", row => Format.Whole(row.Iterations)),
            ("attempts", row => Format.Whole(row.Buckets.Attempts)),
            ("delivered", row => Format.Whole(row.Buckets.Delivered)),
            ("late", row => Format.Whole(row.Buckets.Late)),
            ("refused", row => Format.Whole(row.Buckets.Refused)),
            ("dead-lettered", row => Format.Whole(row.Buckets.DeadLettered)),
            ("still queued", row => Format.Whole(row.Buckets.StillQueued)),
            ("lost, acknowledged", row => Format.Whole(row.Buckets.LostAcknowledged)),
            ("lost, unacknowledged", row => Format.Whole(row.Buckets.LostUnacknowledged)),
            ("duplicates", row => Format.Whole(row.Anomalies.Duplicates)),
            ("reorderings", row => Format.Whole(row.Anomalies.Reorderings)),
            ("unexpected", row => Format.Whole(row.Anomalies.Unexpected)),
            ("corrupted", row => Format.Whole(row.Anomalies.Corrupted)));

    private static IEnumerable<Block> CausesOf(LossRow[] lossy, bool isDisturbed)
    {
        yield return new Paragraph("Causes of loss seen by the client, and drops reported by the server:");
        yield return Table.From(
            lossy,
            ("users", row => Format.Whole(row.Users)),
            ("arm", row => row.Arm),
            ("lost", row => Format.Whole(row.Buckets.Lost)),
            ("causes", row => Causes(row.Buckets.Causes)),
            ("dropped by the server", row => row.Drops switch
            {
                null => Format.None,
                { Total: 0 } => "nothing",
                { } drops => $"no-subscriber {drops.NoSubscriber}, shed {drops.Shed}, closed {drops.Closed}",
            }),
            ("iterations with loss", row => $"{row.WithLoss} of {row.Iterations}"),
            ("dispersion", row => Format.Fixed(row.Dispersion, 2)),
            ("loss of a message, 95 %", row => Format.Range(row.MessageShare, share => Format.Percent(share, 4))));
        yield return new Paragraph("Dispersion is variance/mean of the losses over iterations. " + (isDisturbed
            ? "Losses of a fault are clustered even if they are spread evenly over the iterations, so an interval on messages would be "
                + "too narrow and is omitted."
            : "Above 1.5 losses are clustered, so an interval on messages would be too narrow and is omitted."));
    }

    /// <summary>For example <c>deadline 12, shed 3</c>.</summary>
    public static string Causes(CauseCounts causes) => string.Join(", ",
        Enum.GetValues<Cause>().Where(cause => causes[cause] > 0).Select(cause => $"{Kebab.Text(cause)} {causes[cause]}"));

    private static string Bounds(IReadOnlyList<LossRow> losses) => losses.Count == 0
        ? "nothing was measured"
        : string.Join("; ", losses.GroupBy(row => (row.Arm, row.WithLoss, row.Iterations)).Select(group =>
            $"{group.Key.Arm} at {string.Join(", ", group.Select(row => Format.Whole(row.Users)))} had losses in {group.Key.WithLoss} "
                + $"of {group.Key.Iterations}, "
            + (group.Key.WithLoss == 0
                ? $"so in at most {Format.Percent(group.First().WithLossShare?.High, 1)} of iterations"
                : $"so in {Format.Percent(group.First().WithLossShare?.Low, 1)} to "
                    + $"{Format.Percent(group.First().WithLossShare?.High, 1)}")));

    private static string Guarantee(IReadOnlyList<LossRow> losses)
    {
        var arms = losses.GroupBy(row => row.Arm)
            .Select(arm => (Name: arm.Key, Sum: arm.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets)))).ToArray();
        var rates = arms.Select(arm => arm.Sum.GuaranteeLoss is { } rate
            ? $"{arm.Name} {arm.Sum.LostAcknowledged} of {arm.Sum.Acknowledged} "
                + $"({Format.Percent(rate, 4)}"
                + (losses.Any(row => row.Arm == arm.Name && row.NotDrained > 0)
                    ? ", not claimed: the queue was not shown to be empty)"
                    : ")")
            : $"{arm.Name} undefined, because no message was acknowledged");
        return $"Guarantee loss (lost although acknowledged): {string.Join("; ", rates.DefaultIfEmpty("nothing was measured"))}.";
    }
}

/// <summary>Percentiles over all messages of a level, where the record has the distributions.</summary>
internal static class CurveSection
{
    public static readonly IReadOnlyList<string> Columns =
        ["users", "arm", "messages", .. CurveBuilder.Percents.SelectMany(percent => new[] { Percentile.NameOf(percent), "95 %" }), "max"];

    public static IEnumerable<Block> Write(IReadOnlyList<LatencyRow> rows)
    {
        var known = rows.Where(row => row.Curve is not null).ToArray();
        if (known.Length == 0)
            yield break;
        yield return new Heading(3, "Percentiles over all messages of a level (ms)");
        yield return new Table(Columns, [.. known.Select(Row)]);
        yield return new Paragraph(
            "From the merged histograms of all iterations; values are exact to 1 in 1,000, and the largest is exact. A percentile needs "
                + "ten or more messages above it. Intervals are by bootstrap: 2,000 resamples of iterations, "
                + "never of messages. Exploratory.");
    }

    /// <param name="row">With a curve.</param>
    public static IReadOnlyList<string> Row(LatencyRow row) =>
    [
        Format.Whole(row.Users),
        row.Arm,
        Format.Whole(row.Curve!.Messages),
        .. CurveBuilder.Percents.Select(percent => row.Curve.Percentiles.FirstOrDefault(one => one.Percent == percent))
            .SelectMany(one => new[] { Format.Short(one?.Ms), Format.Range(one?.Ms95, Format.Short) }),
        Format.Short(row.Max),
    ];
}

/// <summary>Which rates each arm holds, of those that were offered.</summary>
internal static class KneeSection
{
    public static IEnumerable<Block> Write(RunFolder folder, IReadOnlyList<KneeRow> knees, KneeRule rule)
    {
        yield return new Heading(2, "Knee: the rates that an arm holds");
        yield return new Paragraph(
            "A rate is held if nothing is lost, at least "
                + $"{Format.Percent(KneeRule.LeastAchieved, 0)} of it is achieved, and the latency stays within the limit: "
                + string.Join("; ", rule.Limits.Select(limit => limit.About.Length == 0 ? $"{limit}" : $"{limit} ({limit.About})"))
                + ". The knee lies between the highest rate that an arm holds with all lower ones and the lowest that it does not hold, of "
                + $"the rates that were decided before the run: {Rates(folder)}. It is not reached where every rate is held, or where the "
                + "core of the load itself is the limit.");
        yield return Table.From(
            knees,
            [
                .. knees.Any(knee => knee.Beside.Length > 0)
                    ? new (string, Func<KneeRow, string>)[] { ("level", knee => knee.Beside) }
                    : [],
                ("arm", knee => knee.Arm),
                ("limit", knee => knee.Limit),
                ("block", knee => knee.Block is { } block ? Format.Whole(block) : "every"),
                ("holds", knee => Number(knee.Holds)),
                ("does not hold", knee => Number(knee.Fails)),
                ("knee", knee => knee.IsReached ? "reached" : "not reached"),
                ("because", knee => knee.Because),
            ]);
    }

    /// <summary>The knee of each arm over all blocks, a sentence each.</summary>
    public static IEnumerable<string> Sentences(IReadOnlyList<KneeRow> knees) =>
        from knee in knees
        where knee.Block is null || !knees.Any(one => one.Block is null)
        select $"{knee.Arm}{(knee.Beside.Length == 0 ? "" : $" with {knee.Beside}")}, {knee.Limit}: "
            + (knee.Holds is { } holds ? $"holds {Format.Whole(holds)} {knee.Unit}" : "holds none of the rates")
            + (knee.Fails is not { } fails ? ", the highest rate that was offered."
                : $", and not {Format.Whole(fails)} ({knee.Because}).");

    private static string Number(int? rate) => rate is { } known ? Format.Whole(known) : Format.None;

    private static string Rates(RunFolder folder) => string.Join(", ",
        folder.Run.Scenario.Levels.Select(level => level.Rate).OfType<int>().Distinct().Order().Select(rate => Format.Whole(rate)));
}
