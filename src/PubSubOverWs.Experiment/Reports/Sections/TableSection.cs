using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Published;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports.Sections;

/// <summary>Tables I to IV.</summary>
internal static class TableSection
{
    public static void Write(IReportText text, ReportModel model)
    {
        var names = model.Compared;
        var withPublished = model.Scenario.IsReplication;
        text.Heading(2, withPublished ? "The paper's tables, measured beside published"
            : model.AgainstItself is null ? "The paper's tables under a fault, held against nothing published"
            : "The paper's tables of one server against itself");
        text.Paragraph($"Means over iterations, with standard deviations in brackets. R is {names.Second}/{names.First}; intervals are "
            + "at 95 %, R's by Fieller. "
            + "p is two-sided: of paired block means ("
            + (model.Fault is null
                ? "from five blocks on judged, after Holm's correction"
                : "Holm's correction beside it; nothing here is judged")
            + "), Welch's on iterations, Welch's with n_eff, Student's pooled (the paper's). "
            + "The intra-class correlation says how much iterations of one block resemble each other, arm by arm: near 1 the blocks are "
            + "the readings, and intervals by iterations are too narrow; neither lag 1 nor n_eff sees that. g is Hedges'.");
        if (withPublished)
            Loss(text, model.Loss);
        else
            Compared(text, names, model.Loss, withPublished);
        Compared(text, names, model.LostMessages, withPublished);
        Compared(text, names, model.Latency, withPublished);
        text.Paragraph(model.Scenario.Arrivals.IsBurst
            ? "Latency is received - sent: in a burst everything is due at once."
            : "Latency is received - due, so that a stall of the sender is not hidden.");
        Compared(text, names, model.Bytes, withPublished: false);
        Compared(text, names, model.KbpsOverDeadline, withPublished);
        Compared(text, names, model.KbpsOverBurst, withPublished, withTests: false);
    }

    private static void Loss(IReportText text, MetricTable table)
    {
        text.Heading(3, $"{table.Title} ({table.Unit})");
        text.Table(
            ["users", "H1a", "H1b", "direct published", "direct measured", "pubsub published", "pubsub measured", "n"],
            table.Rows.Select(row => (IReadOnlyList<string>)
            [
                Format.Whole(row.Measured.Users),
                Verdict(row, "H1a"),
                Verdict(row, "H1b"),
                Published(row.PublishedLoss?.Direct),
                Format.MeanSd(row.Measured.First),
                Published(row.PublishedLoss?.PubSub),
                Format.MeanSd(row.Measured.Second),
                Count(row.Measured),
            ]));
        Tests(text, new Contrast(Arms.Direct, Arms.PubSub), table);
    }

    private static void Compared(
        IReportText text, Contrast names, MetricTable table, bool withPublished, bool withTests = true)
    {
        text.Heading(3, $"{table.Title} ({table.Unit}{(table.Judged ? "" : "; shown, not judged")})");
        string[] published = withPublished ? ["direct published", "pubsub published", "R published", "p published"] : [];
        text.Table(
            ["users", .. (string[])(table.Judged ? ["verdict"] : []), .. published, $"{names.First} measured", $"{names.Second} measured",
                "n", "R measured"],
            table.Rows.Select(row => (IReadOnlyList<string>)
            [
                Format.Whole(row.Measured.Users),
                .. table.Judged ? row.Verdicts.Keys.Select(id => Verdict(row, id)) : [],
                .. withPublished ? Printed(row.Published) : [],
                Format.MeanSd(row.Measured.First),
                Format.MeanSd(row.Measured.Second),
                Count(row.Measured),
                Format.Ratio(row.Measured.Ratio),
            ]));
        if (withTests)
            Tests(text, names, table);
    }

    private static void Tests(IReportText text, Contrast names, MetricTable table)
    {
        var rows = table.Rows.Select(row => row.Measured).Where(row => row.Iterations.Test is not null).ToArray();
        text.Table(
            ["users", "blocks", "R, 95 %, by blocks", "by iterations", "R, 90 %, by blocks", "by iterations",
                $"{names.Second} - {names.First}, 95 %, by blocks", "by iterations"],
            rows.Select(Intervals));
        text.Table(
            ["users", "p blocks", "Holm", "p Welch", "Holm", "p n_eff", "p pooled", "lag 1", $"intra-class, {names.First}", names.Second,
                "g"],
            rows.Select(Test));
    }

    // Nothing in the second arm is a ratio of exactly 0 with no width: true, and misleading.
    private static IReadOnlyList<string> Intervals(Comparison row) =>
    [
        Format.Whole(row.Users),
        Format.Whole(row.Blocks),
        .. new[] { row.BlockMeans?.Ratio95, row.Iterations.Ratio95, row.BlockMeans?.Ratio90, row.Iterations.Ratio90 }
            .Select(interval => row.Second.Mean == 0 ? Format.None : Format.Range(interval, Format.Ratio)),
        Format.Range(row.BlockMeans?.Difference95, Format.Short),
        Format.Range(row.Iterations.Difference95, Format.Short),
    ];

    private static IReadOnlyList<string> Test(Comparison row) =>
    [
        Format.Whole(row.Users),
        Format.P(row.BlockMeans?.Test?.P),
        Format.P(row.BlockMeans?.HolmP),
        Format.P(row.Iterations.Test?.P),
        Format.P(row.Iterations.HolmP),
        row.Effective is null ? "not assessed" : Format.P(row.Effective.Test?.P),
        Format.P(row.Pooled?.P),
        Format.Fixed(row.LagOne, 2),
        Format.Fixed(row.FirstIntraClass, 2),
        Format.Fixed(row.SecondIntraClass, 2),
        Format.Fixed(row.HedgesG, 2),
    ];

    private static string[] Printed(PublishedRow? row) => row is null
        ? [Format.None, Format.None, Format.None, Format.None]
        : [Printed(row.Direct), Printed(row.PubSub), Format.Ratio(row.Ratio), row.P?.Text ?? row.PText ?? Format.None];

    private static string Printed(PublishedArm arm) => $"{arm.Mean.Text} ({arm.Sd.Text})";

    private static string Published(PublishedShare? share) => Format.Fixed(share?.Loss, 2);

    private static string Count(Comparison row) => row.First.Count == row.Second.Count
        ? Format.Whole(row.Count)
        : $"{Format.Whole(row.First.Count)} and {Format.Whole(row.Second.Count)}";

    private static string Verdict(MetricRow row, string id) =>
        row.Verdicts.TryGetValue(id, out var verdict) ? VerdictText.Of(verdict.Verdict) : Format.None;
}
