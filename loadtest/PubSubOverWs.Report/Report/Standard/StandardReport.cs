using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Figures;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Standard.Sections;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard;

/// <summary>
/// The report of an experiment that has factors, arms, contrasts, metrics and claims, and no tables of its own: one row for each level
/// and arm, a comparison for each metric and contrast, and what became of each claim.
/// </summary>
internal sealed class StandardReport
{
    private readonly RunFolder _folder;
    private readonly RunFacts _facts;
    private readonly IReadOnlyList<MetricComparisons> _tables;
    private readonly IReadOnlyList<ClaimResult> _claims;
    private readonly IReadOnlyList<KneeRow> _knees;
    private readonly ClaimEvidence _evidence;
    private readonly Analysis _analysis;

    private StandardReport(RunFolder folder, Analysis analysis)
    {
        _folder = folder;
        _analysis = analysis;
        _evidence = new ClaimEvidence(folder);
        _facts = RunFacts.From(folder);
        _tables = [.. analysis.Metrics.Select(_evidence.Compared)];
        _claims = _evidence.Judge(analysis.Claims);
        _knees = analysis.Knee is { } rule ? KneeRow.All(folder, rule) : [];
    }

    public static ReportFiles Make(RunFolder folder, Analysis analysis)
    {
        var report = new StandardReport(folder, analysis);
        IReadOnlyList<Block> blocks = [.. TermSection.Linked(report.Blocks())];
        return new ReportFiles(
            MarkdownText.Write(blocks, ""),
            ReportJson.Write(StandardModel.From(
                folder, report._facts, [.. report.Findings()], report._tables, report._claims, report._knees)),
            HtmlText.Write(report.Title, blocks, ""),
            StandardCsv.Write(folder.Run.Scenario, report._tables, report._claims, report._knees));
    }

    private string Title
    {
        get
        {
            var label = _facts.Progress.Label is { } name ? $" ({name})" : "";
            return $"{_facts.Scenario.Name}{label}, {Format.Utc(_facts.Progress.Started)}";
        }
    }

    private IReadOnlyList<ArmLevel> Measured => [.. ArmLevel.Measured(_folder)];

    private IEnumerable<Block> Blocks() =>
    [
        new Heading(1, Title),
        new Heading(2, "Findings"),
        new BulletList(Findings()),
        .. Claims(),
        new Heading(2, "Overview"),
        new Paragraph("Means over iterations, with standard deviations in brackets; n counts iterations."),
        Glance(),
        .. Knees(),
        .. _analysis.Sections(_folder),
        .. _tables.SelectMany(Compared),
        new Heading(2, "Losses"),
        .. Losses(),
        .. CheckSection.Write(_facts),
    ];

    private IEnumerable<string> Findings() =>
    [
        .. Sections.Findings.Warnings(_facts),
        Sections.Findings.Loss(LossRow.All(_folder)),
        .. KneeSection.Sentences(_knees),
        .. _claims.Select(one => $"Claim {one.Claim.Id}{(one.Claim.Required ? " (required)" : "")}: {one.Together.Word}."),
        .. from table in _tables
           where table.Metric.Primary
           from one in table.Contrasts
           where one.Rows.Any(row => row.Ratio is not null)
           select Sentence(table.Metric, one),
    ];

    private IEnumerable<Block> Knees()
    {
        if (_analysis.Knee is not { } rule)
            yield break;
        foreach (var block in KneeSection.Write(_folder, _knees, rule))
            yield return block;
        if (KneeFigure.Draw(_folder, rule) is { } figure)
            yield return new Drawn(figure);
    }

    private string Sentence(Metric metric, ContrastRows of)
    {
        var ((first, second), rows) = of;
        var ratios = rows.Where(row => row.Ratio is not null).Select(row => row.Ratio!.Value);
        var judged = rows.Where(row => Decision.IsJudged(row) && _evidence.Saturated(of.Contrast, row.Level) is null).ToArray();
        var differs = judged.Count(row => row.Judged.HolmP < Decision.Alpha);
        return $"{metric.Name}: {second} was {Format.Span(ratios, Format.Short)} times {first}; "
            + (judged.Length == 0
                ? $"not judged: a verdict needs {Decision.LeastCount} iterations of each arm in {Comparison.LeastBlocks} blocks."
                : $"of {Format.Count(judged.Length, "judged level")} {differs} differ significantly.");
    }

    private IEnumerable<Block> Claims()
    {
        if (_claims.Count == 0)
            yield break;
        yield return new Heading(2, "Claims made before the run");
        yield return new Paragraph(
            "Claims are part of the program that made the run. A run that refutes a required one ends with exit code 2.");
        yield return Table.From(
            _claims,
            ("claim", one => one.Claim.Id),
            ("statement", one => one.Claim.Text),
            ("required", one => one.Claim.Required ? "yes" : "no"),
            ("verdict", one => one.Fails ? $"**{one.Together.Word}**" : one.Together.Word),
            ("because", one => one.Together.Reason));
    }

    private Table Glance() => Table.From(
        Measured,
        [
            .. Factors<ArmLevel>(one => one.Level),
            ("arm", one => one.Arm),
            ("n", one => Format.Whole(one.Rows.Count)),
            .. _tables.Select(table =>
                ($"{table.Metric.Name} ({table.Metric.Unit.Text})", (Func<ArmLevel, string>)(one => Mean(one, table.Metric)))),
        ]);

    private string Mean(ArmLevel one, Metric metric) => Format.MeanSd(Moments.Compute(
        [.. MetricReadings.Read(_folder, one.Arm, one.Level, metric).Select(reading => reading.Value)]));

    private IEnumerable<Block> Compared(MetricComparisons table)
    {
        var metric = table.Metric;
        yield return new Heading(2, $"{metric.Name} ({metric.Unit.Text})");
        if (table.Contrasts.Count > 1)
            yield return new Paragraph("p is corrected over the rows of all contrasts of this metric.");
        foreach (var (contrast, rows) in table.Contrasts)
        {
            if (table.Contrasts.Count > 1)
                yield return new Heading(3, contrast.ToString());
            if (MetricFigure.Draw(_folder, metric, contrast) is { } figure)
                yield return new Drawn(figure);
            yield return Rows(contrast, rows);
        }
    }

    private Table Rows(Contrast contrast, IReadOnlyList<Comparison> rows)
    {
        var (first, second) = contrast;
        return Table.From(
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
                ("verdict", row => _evidence.Saturated(contrast, row.Level) ?? Verdict(row)),
            ]);
    }

    private IEnumerable<Block> Losses()
    {
        var lossy = Measured.Where(one => one.Buckets.Lost > 0).ToArray();
        if (lossy.Length == 0)
            yield return new Paragraph("None: every message reached all of its recipients in time.");
        yield return Table.From(
            lossy,
            [
                .. Factors<ArmLevel>(one => one.Level),
                ("arm", one => one.Arm),
                ("lost", one => Format.Whole(one.Buckets.Lost)),
                ("of", one => Format.Whole(one.Buckets.Attempts)),
                ("share", one => Format.Percent(one.Buckets.EndToEndLoss, 3)),
                ("causes", one => LossSection.Causes(one.Buckets.Causes)),
            ]);
        var odd = Measured.Aggregate(default(Record.Accounting.Anomalies), (sum, one) => sum.Add(one.Anomalies));
        yield return new Paragraph(
            $"In addition: {Format.Count(odd.Duplicates, "duplicate")}, {Format.Whole(odd.Reorderings)} out of order, "
                + $"{Format.Whole(odd.Unexpected)} unexpected, {Format.Whole(odd.Corrupted)} corrupted.");
    }

    private static string Verdict(Comparison row) =>
        row.Judged.Test is null && row.Count != 1 ? "not testable"
        : !Decision.IsJudged(row) ? $"not judged (n = {Format.Whole(row.Count)})"
        : row.Judged.HolmP < Decision.Alpha ? row.Judged.Sign > 0 ? "higher" : "lower"
        : "no difference shown";

    private IEnumerable<(string, Func<T, string>)> Factors<T>(Func<T, Level> level) =>
        _facts.Scenario.Factors.Select((factor, i) =>
            (factor.Name, (Func<T, string>)(one => level(one).Settings[i].Text)));
}

/// <summary>report.json of <see cref="StandardReport"/>.</summary>
/// <param name="Report">The version of the format.</param>
/// <param name="Valid">False: a check of <paramref name="Validity"/> is broken.</param>
internal sealed record StandardModel(
    int Report, string Experiment, IReadOnlyList<string> Findings, bool Valid, Progress Progress, IReadOnlyList<StandardClaim> Claims,
    IReadOnlyList<Contrast> Contrasts, IReadOnlyList<StandardTable> Tables, IReadOnlyList<StandardLosses> Losses,
    IReadOnlyList<ValidityCheck> Validity, IReadOnlyList<GateResult> Gates, Scenario Scenario, SetUp SetUp, MachineRecord Machine)
{
    private const int Version = 3;

    /// <summary>Null, and not written: the levels are no rates.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<KneeRow>? Knees { get; init; }

    public static StandardModel From(
        RunFolder folder, RunFacts facts, IReadOnlyList<string> findings, IReadOnlyList<MetricComparisons> tables,
        IReadOnlyList<ClaimResult> claims, IReadOnlyList<KneeRow> knees) => new(
            Version, facts.Scenario.Kind.Name, findings, facts.IsValid, facts.Progress, [.. claims.Select(StandardClaim.From)],
            facts.Scenario.Contrasts, [.. tables.Select(StandardTable.From)], [.. LossRow.All(folder).Select(StandardLosses.From)],
            facts.Validity, facts.Gates, facts.Scenario, facts.SetUp, facts.Machine)
        { Knees = knees.Count > 0 ? knees : null };
}

/// <summary>A claim, and the verdict on it over all levels and at each.</summary>
/// <param name="Holds">False: refuted. Null: open, as for a level.</param>
internal sealed record StandardClaim(
    string Id, string Text, bool Required, string Word, bool? Holds, string Reason, IReadOnlyList<StandardVerdict> Levels)
{
    public static StandardClaim From(ClaimResult one) => new(
        one.Claim.Id, one.Claim.Text, one.Claim.Required, one.Together.Word, one.Together.Holds, one.Together.Reason,
        [.. one.Levels.Select(at => new StandardVerdict(at.Level, at.Verdict.Word, at.Verdict.Holds, at.Verdict.Reason))]);
}

internal sealed record StandardVerdict(Level Level, string Word, bool? Holds, string Reason);

/// <summary>One metric in every contrast of the run.</summary>
/// <param name="Rows">Of all contrasts, in their order: one for each level.</param>
internal sealed record StandardTable(string Metric, string Unit, IReadOnlyList<StandardRow> Rows)
{
    public static StandardTable From(MetricComparisons table) => new(
        table.Metric.Name, table.Metric.Unit.Text,
        [.. from one in table.Contrasts from row in one.Rows select StandardRow.From(one.Contrast, row)]);
}

/// <summary>Both arms of a contrast at one level.</summary>
/// <param name="Ratio">second/first; null: an arm has no reading, or the first has the mean 0.</param>
/// <param name="IsByBlocks">True: judged by <paramref name="BlockMeans"/>; false: by <paramref name="Iterations"/>.</param>
internal sealed record StandardRow(
    Contrast Contrast, Level Level, Moments First, Moments Second, int Blocks, double? Ratio, bool IsByBlocks, Evidence Iterations,
    Evidence? BlockMeans)
{
    public static StandardRow From(Contrast contrast, Comparison row) => new(
        contrast, row.Level, row.First, row.Second, row.Blocks, row.Ratio, row.IsByBlocks, row.Iterations, row.BlockMeans);
}

/// <summary>As far as <see cref="LossRow"/> is about any experiment.</summary>
internal sealed record StandardLosses(
    string Arm, Level Level, int Iterations, Buckets Buckets, int WithLoss, Interval? WithLossShare, Anomalies Anomalies,
    ServerDrops? Drops)
{
    public static StandardLosses From(LossRow row) => new(
        row.Arm, row.Level, row.Iterations, row.Buckets, row.WithLoss, row.WithLossShare, row.Anomalies, row.Drops);
}
