using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard;

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

    public static StandardModel Of(
        RunFolder folder, RunFacts facts, IReadOnlyList<string> findings, IReadOnlyList<MetricComparisons> tables,
        IReadOnlyList<ClaimResult> claims, IReadOnlyList<KneeRow> knees) => new(
            Version, facts.Scenario.Kind.Name, findings, facts.IsValid, facts.Progress, [.. claims.Select(StandardClaim.Of)],
            facts.Scenario.Contrasts, [.. tables.Select(StandardTable.Of)], [.. LossRow.All(folder).Select(StandardLosses.Of)],
            facts.Validity, facts.Gates, facts.Scenario, facts.SetUp, facts.Machine)
        { Knees = knees.Count > 0 ? knees : null };
}

/// <summary>A claim, and the verdict on it over all levels and at each.</summary>
/// <param name="Holds">False: refuted. Null: open, as for a level.</param>
internal sealed record StandardClaim(
    string Id, string Text, bool Required, string Word, bool? Holds, string Reason, IReadOnlyList<StandardVerdict> Levels)
{
    public static StandardClaim Of(ClaimResult one) => new(
        one.Claim.Id, one.Claim.Text, one.Claim.Required, one.Together.Word, one.Together.Holds, one.Together.Reason,
        [.. one.Levels.Select(at => new StandardVerdict(at.Level, at.Verdict.Word, at.Verdict.Holds, at.Verdict.Reason))]);
}

internal sealed record StandardVerdict(Level Level, string Word, bool? Holds, string Reason);

/// <summary>One metric in every contrast of the run.</summary>
/// <param name="Rows">Of all contrasts, in their order: one for each level.</param>
internal sealed record StandardTable(string Metric, string Unit, IReadOnlyList<StandardRow> Rows)
{
    public static StandardTable Of(MetricComparisons table) => new(
        table.Metric.Name, table.Metric.Unit.Text,
        [.. from one in table.Contrasts from row in one.Rows select StandardRow.Of(one.Contrast, row)]);
}

/// <summary>Both arms of a contrast at one level.</summary>
/// <param name="Ratio">second/first; null: an arm has no reading, or the first has the mean 0.</param>
/// <param name="IsByBlocks">True: judged by <paramref name="BlockMeans"/>; false: by <paramref name="Iterations"/>.</param>
internal sealed record StandardRow(
    Contrast Contrast, Level Level, Moments First, Moments Second, int Blocks, double? Ratio, bool IsByBlocks, Evidence Iterations,
    Evidence? BlockMeans)
{
    public static StandardRow Of(Contrast contrast, Comparison row) => new(
        contrast, row.Level, row.First, row.Second, row.Blocks, row.Ratio, row.IsByBlocks, row.Iterations, row.BlockMeans);
}

/// <summary>As far as <see cref="LossRow"/> is about any experiment.</summary>
internal sealed record StandardLosses(
    string Arm, Level Level, int Iterations, Buckets Buckets, int WithLoss, Interval? WithLossShare, Anomalies Anomalies,
    ServerDrops? Drops)
{
    public static StandardLosses Of(LossRow row) => new(
        row.Arm, row.Level, row.Iterations, row.Buckets, row.WithLoss, row.WithLossShare, row.Anomalies, row.Drops);
}
