using PubSubOverWs.LoadTest.Experiments.Paper.Published;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>Tables I to IV.</summary>
internal static class TableSection
{
    /// <summary>In place of tables of bytes without a value.</summary>
    public const string NotCounted =
        "Bytes to clients were not counted: a server that is killed loses its counts, and a server of another kind may have none.";

    public static IEnumerable<Block> Write(PaperModel model)
    {
        var names = model.Compared;
        var withPublished = model.Scenario.IsReplication;
        yield return new Heading(2, withPublished ? "The paper's tables, measured and published"
            : model.AgainstItself is not null ? "The paper's tables for two instances of one server"
            : model.Fault is not null ? "The paper's tables under a fault, without published values"
            : "Loss, latency and bytes by level");
        yield return new Paragraph(
            $"Means over iterations, with standard deviations in brackets. R is {names.Second}/{names.First}; intervals are "
            + "at 95 %, R's by Fieller. "
            + "p is two-sided: of paired block means ("
            + (model.Fault is null && (withPublished || model.AgainstItself is not null)
                ? "judged from five blocks on, after Holm's correction"
                : "also after Holm's correction; nothing here is judged")
            + "), of Welch's test on iterations, of Welch's test with n_eff, and of Student's pooled test (the paper's). "
            + "The intra-class correlation is the resemblance of the iterations of one block, for each arm: near 1 each block counts as "
            + "one reading, and intervals by iterations are too narrow, which neither lag 1 nor n_eff shows. g is Hedges' g.");
        foreach (var block in Tables(model, names, withPublished))
            yield return block;
    }

    private static IEnumerable<Block> Tables(PaperModel model, Contrast names, bool withPublished) =>
    [
        .. withPublished ? Loss(model.Loss) : Compared(names, model.Loss, withPublished),
        .. Compared(names, model.LostMessages, withPublished),
        .. Compared(names, model.Latency, withPublished, changing: model.Changing),
        .. model.Changing.Count == 0 ? Array.Empty<Block>() : [new Paragraph(
            $"{HalvesCheck.Mark.Trim()}: still changing while it was measured, by the halves of its blocks (see Validity).")],
        new Paragraph(model.Scenario.Arrivals.IsBurst
            ? "Latency is received - sent, because all messages of a burst are due at once."
            : "Latency is received - due, so that it includes stalls of the sender."),
        .. Bytes(model, names, withPublished),
    ];

    private static IEnumerable<Block> Bytes(PaperModel model, Contrast names, bool withPublished) =>
        !withPublished && model.Bytes.Rows.Count > 0 && model.Bytes.Rows.All(row => row.Measured is { First.Count: 0, Second.Count: 0 })
            ? [new Heading(3, "Table IV"), new Paragraph(NotCounted)]
            :
            [
                .. Compared(names, model.Bytes, withPublished: false),
                .. Compared(names, model.KbpsOverDeadline, withPublished),
                .. Compared(names, model.KbpsOverBurst, withPublished, withTests: false),
            ];

    private static IEnumerable<Block> Loss(MetricTable table) =>
    [
        new Heading(3, $"{table.Title} ({table.Unit})"),
        Table.From(
            table.Rows,
            ("users", row => Format.Whole(row.Measured.Users)),
            ("H1a", row => Verdict(row, "H1a")),
            ("H1b", row => Verdict(row, "H1b")),
            ("direct published", row => Published(row.PublishedLoss?.Direct)),
            ("direct measured", row => Format.MeanSd(row.Measured.First)),
            ("pubsub published", row => Published(row.PublishedLoss?.PubSub)),
            ("pubsub measured", row => Format.MeanSd(row.Measured.Second)),
            ("n", row => Count(row.Measured))),
        .. Tests(new Contrast(Relays.Direct, Relays.PubSub), table),
    ];

    private static IEnumerable<Block> Compared(Contrast names, MetricTable table, bool withPublished, bool withTests = true,
        IReadOnlyList<Halves>? changing = null)
    {
        (string, Func<MetricRow, string>)[] verdict = [("verdict", row => Verdict(row, row.Verdicts.Keys.Single()))];
        (string, Func<MetricRow, string>)[] published =
        [
            ("direct published", row => Printed(row.Published?.Direct)),
            ("pubsub published", row => Printed(row.Published?.PubSub)),
            ("R published", row => Format.Ratio(row.Published?.Ratio)),
            ("p published", row => row.Published?.P?.Text ?? row.Published?.PText ?? Format.None),
        ];
        return
        [
            new Heading(3, $"{table.Title} ({table.Unit}{(table.Judged ? "" : "; shown, not judged")})"),
            Table.From(
                table.Rows,
                [
                    ("users", row => Format.Whole(row.Measured.Users)),
                    .. table.Judged ? verdict : [],
                    .. withPublished ? published : [],
                    ($"{names.First} measured", row => Format.MeanSd(row.Measured.First) + Mark(names.First, row)),
                    ($"{names.Second} measured", row => Format.MeanSd(row.Measured.Second) + Mark(names.Second, row)),
                    ("n", row => Count(row.Measured)),
                    ("R measured", row => Format.Ratio(row.Measured.Ratio)),
                ]),
            .. withTests ? Tests(names, table) : [],
        ];

        string Mark(string arm, MetricRow row) =>
            changing?.Any(cell => cell.Arm == arm && cell.Level.Equals(row.Measured.Level)) == true ? HalvesCheck.Mark : "";
    }

    private static IEnumerable<Block> Tests(Contrast names, MetricTable table)
    {
        var rows = table.Rows.Select(row => row.Measured).Where(row => row.Iterations.Test is not null).ToArray();
        yield return Table.From(
            rows,
            ("users", row => Format.Whole(row.Users)),
            ("blocks", row => Format.Whole(row.Blocks)),
            ("R, 95 %, by blocks", row => Ratio(row, row.BlockMeans?.Ratio95)),
            ("by iterations", row => Ratio(row, row.Iterations.Ratio95)),
            ("R, 90 %, by blocks", row => Ratio(row, row.BlockMeans?.Ratio90)),
            ("by iterations", row => Ratio(row, row.Iterations.Ratio90)),
            ($"{names.Second} - {names.First}, 95 %, by blocks", row => Format.Range(row.BlockMeans?.Difference95, Format.Short)),
            ("by iterations", row => Format.Range(row.Iterations.Difference95, Format.Short)));
        yield return Table.From(
            rows,
            ("users", row => Format.Whole(row.Users)),
            ("p blocks", row => Format.P(row.BlockMeans?.Test?.P)),
            ("Holm", row => Format.P(row.BlockMeans?.HolmP)),
            ("p Welch", row => Format.P(row.Iterations.Test?.P)),
            ("Holm", row => Format.P(row.Iterations.HolmP)),
            ("p n_eff", row => row.Effective is null ? "not assessed" : Format.P(row.Effective.Test?.P)),
            ("p pooled", row => Format.P(row.Pooled?.P)),
            ("lag 1", row => Format.Fixed(row.LagOne, 2)),
            ($"intra-class, {names.First}", row => Format.Fixed(row.FirstIntraClass, 2)),
            (names.Second, row => Format.Fixed(row.SecondIntraClass, 2)),
            ("g", row => Format.Fixed(row.HedgesG, 2)));
    }

    // Nothing in the second arm is a ratio of exactly 0 with no width: true, and misleading.
    private static string Ratio(Comparison row, Interval? interval) =>
        row.Second.Mean == 0 ? Format.None : Format.Range(interval, Format.Ratio);

    private static string Printed(PublishedArm? arm) => arm is null ? Format.None : $"{arm.Mean.Text} ({arm.Sd.Text})";

    private static string Published(PublishedShare? share) => Format.Fixed(share?.Loss, 2);

    private static string Count(Comparison row) => row.First.Count == row.Second.Count
        ? Format.Whole(row.Count)
        : $"{Format.Whole(row.First.Count)} and {Format.Whole(row.Second.Count)}";

    private static string Verdict(MetricRow row, string id) =>
        row.Verdicts.TryGetValue(id, out var verdict) ? verdict.Text : Format.None;
}
