using PubSubOverWs.Experiment.Experiments.Published;
using PubSubOverWs.Experiment.Experiments.Relay;

namespace PubSubOverWs.Experiment.Experiments.Replication;

/// <summary>Tables I to IV.</summary>
internal static class TableSection
{
    public static IEnumerable<Block> Of(PaperModel model)
    {
        var names = model.Compared;
        var withPublished = model.Scenario.IsReplication;
        yield return new Heading(2, withPublished ? "The paper's tables, measured beside published"
            : model.AgainstItself is null ? "The paper's tables under a fault, held against nothing published"
            : "The paper's tables of one server against itself");
        yield return new Paragraph(
            $"Means over iterations, with standard deviations in brackets. R is {names.Second}/{names.First}; intervals are "
            + "at 95 %, R's by Fieller. "
            + "p is two-sided: of paired block means ("
            + (model.Fault is null
                ? "from five blocks on judged, after Holm's correction"
                : "Holm's correction beside it; nothing here is judged")
            + "), Welch's on iterations, Welch's with n_eff, Student's pooled (the paper's). "
            + "The intra-class correlation says how much iterations of one block resemble each other, arm by arm: near 1 the blocks are "
            + "the readings, and intervals by iterations are too narrow; neither lag 1 nor n_eff sees that. g is Hedges'.");
        foreach (var block in Tables(model, names, withPublished))
            yield return block;
    }

    private static IEnumerable<Block> Tables(PaperModel model, Contrast names, bool withPublished) =>
    [
        .. withPublished ? Loss(model.Loss) : Compared(names, model.Loss, withPublished),
        .. Compared(names, model.LostMessages, withPublished),
        .. Compared(names, model.Latency, withPublished),
        new Paragraph(model.Scenario.Arrivals.IsBurst
            ? "Latency is received - sent: in a burst everything is due at once."
            : "Latency is received - due, so that a stall of the sender is not hidden."),
        .. Compared(names, model.Bytes, withPublished: false),
        .. Compared(names, model.KbpsOverDeadline, withPublished),
        .. Compared(names, model.KbpsOverBurst, withPublished, withTests: false),
    ];

    private static IEnumerable<Block> Loss(MetricTable table) =>
    [
        new Heading(3, $"{table.Title} ({table.Unit})"),
        Table.Of(
            table.Rows,
            ("users", row => Format.Whole(row.Measured.Users)),
            ("H1a", row => Verdict(row, "H1a")),
            ("H1b", row => Verdict(row, "H1b")),
            ("direct published", row => Published(row.PublishedLoss?.Direct)),
            ("direct measured", row => Format.MeanSd(row.Measured.First)),
            ("pubsub published", row => Published(row.PublishedLoss?.PubSub)),
            ("pubsub measured", row => Format.MeanSd(row.Measured.Second)),
            ("n", row => Count(row.Measured))),
        .. Tests(new Contrast(Arms.Direct, Arms.PubSub), table),
    ];

    private static IEnumerable<Block> Compared(Contrast names, MetricTable table, bool withPublished, bool withTests = true)
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
            Table.Of(
                table.Rows,
                [
                    ("users", row => Format.Whole(row.Measured.Users)),
                    .. table.Judged ? verdict : [],
                    .. withPublished ? published : [],
                    ($"{names.First} measured", row => Format.MeanSd(row.Measured.First)),
                    ($"{names.Second} measured", row => Format.MeanSd(row.Measured.Second)),
                    ("n", row => Count(row.Measured)),
                    ("R measured", row => Format.Ratio(row.Measured.Ratio)),
                ]),
            .. withTests ? Tests(names, table) : [],
        ];
    }

    private static IEnumerable<Block> Tests(Contrast names, MetricTable table)
    {
        var rows = table.Rows.Select(row => row.Measured).Where(row => row.Iterations.Test is not null).ToArray();
        yield return Table.Of(
            rows,
            ("users", row => Format.Whole(row.Users)),
            ("blocks", row => Format.Whole(row.Blocks)),
            ("R, 95 %, by blocks", row => Ratio(row, row.BlockMeans?.Ratio95)),
            ("by iterations", row => Ratio(row, row.Iterations.Ratio95)),
            ("R, 90 %, by blocks", row => Ratio(row, row.BlockMeans?.Ratio90)),
            ("by iterations", row => Ratio(row, row.Iterations.Ratio90)),
            ($"{names.Second} - {names.First}, 95 %, by blocks", row => Format.Range(row.BlockMeans?.Difference95, Format.Short)),
            ("by iterations", row => Format.Range(row.Iterations.Difference95, Format.Short)));
        yield return Table.Of(
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
        row.Verdicts.TryGetValue(id, out var verdict) ? VerdictText.Of(verdict.Verdict) : Format.None;
}
