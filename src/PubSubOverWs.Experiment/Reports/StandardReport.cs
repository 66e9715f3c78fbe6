using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Figures;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Reports.Sections;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>
/// The report of an experiment that has factors, arms, a contrast and metrics, and no tables of its own: one row for each level and arm,
/// and a comparison for each metric.
/// </summary>
internal sealed class StandardReport
{
    private readonly RunFolder _folder;
    private readonly RunFacts _facts;
    private readonly IReadOnlyList<(Metric Metric, IReadOnlyList<Comparison> Rows)> _tables;

    private StandardReport(RunFolder folder, IReadOnlyList<Metric> metrics)
    {
        _folder = folder;
        _facts = RunFacts.Of(folder);
        _tables = [.. metrics.Select(metric => (metric, Comparisons.Of(MetricReadings.Read(folder, metric))))];
    }

    /// <param name="folder">The record.</param>
    /// <param name="metrics">What is shown and compared, in this order.</param>
    public static ReportFiles Make(RunFolder folder, IReadOnlyList<Metric> metrics)
    {
        var report = new StandardReport(folder, metrics);
        IReadOnlyList<Block> blocks = [.. report.Blocks()];
        return new ReportFiles(
            MarkdownText.Write(blocks, ""),
            StandardData.Json(folder, report._facts, [.. report.Findings()], report._tables),
            HtmlText.Write(report.Title, blocks, ""),
            StandardData.Csv(folder, report._tables));
    }

    private string Title
    {
        get
        {
            var label = _facts.Progress.Label is { } name ? $" ({name})" : "";
            return $"{_facts.Scenario.Name}{label}, {Format.Utc(_facts.Progress.Started)}";
        }
    }

    private IReadOnlyList<ArmLevel> Measured =>
    [
        .. from level in _facts.Scenario.Levels
           from arm in _facts.Scenario.ShownArms
           let one = ArmLevel.Of(_folder, arm, level)
           where one.Rows.Count > 0
           select one,
    ];

    private IEnumerable<Block> Blocks() =>
    [
        new Heading(1, Title),
        new Heading(2, "What was found"),
        new BulletList(Findings()),
        new Heading(2, "At a glance"),
        new Paragraph("Means over iterations, with standard deviations in brackets; n is the number of iterations."),
        Glance(),
        .. _tables.SelectMany(table => Compared(table.Metric, table.Rows)),
        new Heading(2, "What was lost"),
        .. Losses(),
        .. CheckSection.Of(_facts),
    ];

    private IEnumerable<string> Findings() =>
    [
        .. Sections.Findings.Warnings(_facts),
        Sections.Findings.Loss(ReportBuilder.Losses(_folder)),
        .. _tables.Where(table => table.Metric.Primary && table.Rows.Any(row => row.Ratio is not null))
            .Select(table => Sentence(table.Metric, table.Rows)),
    ];

    private string Sentence(Metric metric, IReadOnlyList<Comparison> rows)
    {
        var (first, second) = _facts.Scenario.Compared;
        var ratios = rows.Where(row => row.Ratio is not null).Select(row => row.Ratio!.Value);
        var judged = rows.Where(IsJudged).ToArray();
        var differs = judged.Count(row => row.Judged.HolmP < Decision.Alpha);
        return $"{metric.Name}: {second} was at {Format.Span(ratios, Format.Short)} times {first}; "
            + (judged.Length == 0
                ? $"not judged, for that takes {Decision.LeastCount} iterations of each arm in {Comparison.LeastBlocks} blocks."
                : $"of {Format.Count(judged.Length, "judged level")} {differs} differ significantly.");
    }

    private Table Glance() => Table.Of(
        Measured,
        [
            .. Factors<ArmLevel>(one => one.Level),
            ("arm", one => one.Arm),
            ("n", one => Format.Whole(one.Rows.Count)),
            .. _tables.Select(table =>
                ($"{table.Metric.Name} ({table.Metric.Unit.Text})", (Func<ArmLevel, string>)(one => Mean(one, table.Metric)))),
        ]);

    private string Mean(ArmLevel one, Metric metric) => Format.MeanSd(Moments.Of(
        [.. MetricReadings.Read(_folder, one.Arm, one.Level, metric).Select(reading => reading.Value)]));

    private IEnumerable<Block> Compared(Metric metric, IReadOnlyList<Comparison> rows)
    {
        var (first, second) = _facts.Scenario.Compared;
        yield return new Heading(2, $"{metric.Name} ({metric.Unit.Text})");
        if (MetricFigure.Draw(_folder, metric, _facts.Scenario.Compared) is { } figure)
            yield return new Drawn(figure);
        yield return Table.Of(
            rows,
            [
                .. Factors<Comparison>(row => row.Level),
                ("n", row => Format.Whole(row.Count)),
                (first, row => Format.MeanSd(row.First)),
                (second, row => Format.MeanSd(row.Second)),
                ($"{second} - {first}, 95 %", row => Format.Range(row.Judged.Difference95, Format.Short)),
                ($"R = {second}/{first}", row => Format.Ratio(row.Ratio)),
                ("R, 95 %", row => row.Second.Mean == 0 ? Format.None : Format.Range(row.Judged.Ratio95, Format.Ratio)),
                ("p Holm", row => Format.P(row.Judged.HolmP)),
                ("verdict", Verdict),
            ]);
    }

    private IEnumerable<Block> Losses()
    {
        var lossy = Measured.Where(one => one.Buckets.Lost > 0).ToArray();
        if (lossy.Length == 0)
            yield return new Paragraph("Nothing: every message came to every recipient it was meant for, in time.");
        yield return Table.Of(
            lossy,
            [
                .. Factors<ArmLevel>(one => one.Level),
                ("arm", one => one.Arm),
                ("lost", one => Format.Whole(one.Buckets.Lost)),
                ("of", one => Format.Whole(one.Buckets.Attempts)),
                ("share", one => Format.Percent(one.Buckets.EndToEndLoss, 3)),
                ("causes", one => LossSection.Causes(one.Buckets.Causes)),
            ]);
        var odd = Measured.Aggregate(default(Accounting.Anomalies), (sum, one) => sum.Add(one.Anomalies));
        yield return new Paragraph(
            $"Beside that: {Format.Count(odd.Duplicates, "duplicate")}, {Format.Whole(odd.Reorderings)} out of order, "
                + $"{Format.Whole(odd.Unexpected)} unexpected, {Format.Whole(odd.Corrupted)} corrupted.");
    }

    private static string Verdict(Comparison row) =>
        row.Judged.Test is null ? "not testable"
        : !IsJudged(row) ? $"not judged (n = {Format.Whole(row.Count)})"
        : row.Judged.HolmP < Decision.Alpha ? row.Judged.Sign > 0 ? "higher" : "lower"
        : "no difference shown";

    private static bool IsJudged(Comparison row) => row.Count >= Decision.LeastCount && row.IsByBlocks;

    private IEnumerable<(string, Func<T, string>)> Factors<T>(Func<T, Design.Level> level) =>
        _facts.Scenario.Factors.Select((factor, i) =>
            (factor.Name, (Func<T, string>)(one => Format.Whole(level(one).Settings[i].Number))));
}
