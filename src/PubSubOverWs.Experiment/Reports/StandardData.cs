using PubSubOverWs.Experiment.Claims.Standard;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>report.json and report.csv of <see cref="StandardReport"/>: docs/standard-report.schema.json.</summary>
internal static class StandardData
{
    private const int Version = 3;

    public static string Json(
        RunFolder folder, RunFacts facts, IReadOnlyList<string> findings, IReadOnlyList<MetricComparisons> tables,
        IReadOnlyList<ClaimResult> claims, IReadOnlyList<KneeRow> knees)
    {
        var report = new Data
        {
            Report = Version,
            Experiment = facts.Scenario.Kind.Name,
            Findings = findings,
            Valid = facts.IsValid,
            Progress = facts.Progress,
            Claims = claims.Select(one => new
            {
                one.Claim.Id,
                one.Claim.Text,
                one.Claim.Required,
                one.Together.Word,
                one.Together.Holds,
                one.Together.Reason,
                Levels = one.Levels.Select(at => new { at.Level, at.Verdict.Word, at.Verdict.Holds, at.Verdict.Reason }),
            }),
            Contrasts = facts.Scenario.Contrasts,
            Knees = knees.Count > 0 ? knees : null,
            Tables = tables.Select(table => new
            {
                Metric = table.Metric.Name,
                Unit = table.Metric.Unit.Text,
                Rows = from one in table.Contrasts
                       from row in one.Rows
                       select new
                       {
                           one.Contrast,
                           row.Level,
                           row.First,
                           row.Second,
                           row.Blocks,
                           row.Ratio,
                           row.IsByBlocks,
                           row.Iterations,
                           row.BlockMeans,
                       },
            }),
            Losses = LossRow.All(folder).Select(row =>
                new { row.Arm, row.Level, row.Iterations, row.Buckets, row.WithLoss, row.WithLossShare, row.Anomalies, row.Drops }),
            Validity = facts.Validity,
            Gates = facts.Gates,
            Scenario = facts.Scenario,
            SetUp = facts.SetUp,
            Machine = facts.Machine,
        };
        return ReportJson.Write(report);
    }

    public static string Csv(
        RunFolder folder, IReadOnlyList<MetricComparisons> tables, IReadOnlyList<ClaimResult> claims, IReadOnlyList<KneeRow> knees)
    {
        var scenario = folder.Run.Scenario;
        var text = new StringBuilder();
        var told = new HashSet<(Metric, Level, string)>();
        Line(["metric", .. scenario.Factors.Select(factor => factor.Name), "arm", "against", "statistic", "value", "unit"]);
        foreach (var table in tables)
        {
            foreach (var (contrast, rows) in table.Contrasts)
            {
                foreach (var row in rows)
                    Add(table.Metric, contrast, row);
            }
        }

        foreach (var claim in claims)
        {
            Line([$"claim {claim.Claim.Id}", .. scenario.Factors.Select(_ => ""), "", "", "verdict", claim.Together.Word, ""]);
            foreach (var (level, verdict) in claim.Levels)
                Line([$"claim {claim.Claim.Id}", .. Numbers(level), "", "", "verdict", verdict.Word, ""]);
        }

        foreach (var knee in knees)
        {
            Rate(knee, "holds", knee.Holds);
            Rate(knee, "does not hold", knee.Fails);
        }

        return text.ToString();

        void Rate(KneeRow knee, string statistic, int? rate)
        {
            if (rate is { } known)
                Line([$"knee, {knee.Limit}", .. scenario.Factors.Select(factor => knee.NumberOf(factor)), knee.Arm, "",
                    knee.Block is { } block ? $"{statistic}, block {Format.Whole(block)}" : statistic, Format.Whole(known), knee.Unit]);
        }

        void Add(Metric metric, Contrast contrast, Comparison row)
        {
            Arm(metric, row, contrast.First, row.First);
            Arm(metric, row, contrast.Second, row.Second);
            foreach (var (statistic, value, unit) in new (string, double?, string)[]
            {
                ("ratio", row.Ratio, ""),
                ("ratio95Low", row.Judged.Ratio95?.Low, ""),
                ("ratio95High", row.Judged.Ratio95?.High, ""),
                ("difference95Low", row.Judged.Difference95?.Low, metric.Unit.Text),
                ("difference95High", row.Judged.Difference95?.High, metric.Unit.Text),
                ("holmP", row.Judged.HolmP, ""),
            })
                Value(metric, row.Level, (contrast.Second, contrast.First), statistic, value, unit);
        }

        // An arm of several contrasts has one line.
        void Arm(Metric metric, Comparison row, string arm, Moments moments)
        {
            if (!told.Add((metric, row.Level, arm)))
                return;
            Value(metric, row.Level, (arm, ""), "count", moments.Count, "iterations");
            Value(metric, row.Level, (arm, ""), "mean", moments.Count == 0 ? null : moments.Mean, metric.Unit.Text);
            Value(
                metric, row.Level, (arm, ""), "standardDeviation", moments.Count < 2 ? null : moments.StandardDeviation, metric.Unit.Text);
        }

        void Value(Metric metric, Level level, (string Arm, string Against) of, string statistic, double? value, string unit)
        {
            if (value is { } known && double.IsFinite(known))
                Line([metric.Name, .. Numbers(level), of.Arm, of.Against, statistic,
                    known.ToString("G10", System.Globalization.CultureInfo.InvariantCulture), unit]);
        }

        IEnumerable<string> Numbers(Level level) => level.Settings.Select(setting => Format.Whole(setting.Number));

        void Line(IEnumerable<string> cells) => text.Append(Formats.Csv.Line(cells)).Append('\n');
    }

    /// <summary>report.json, in this order.</summary>
    private sealed record Data
    {
        public required int Report { get; init; }

        public required string Experiment { get; init; }

        public required IReadOnlyList<string> Findings { get; init; }

        public required bool Valid { get; init; }

        public required object Progress { get; init; }

        public required object Claims { get; init; }

        public required IReadOnlyList<Contrast> Contrasts { get; init; }

        /// <summary>Only of experiments whose levels are rates.</summary>
        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public IReadOnlyList<KneeRow>? Knees { get; init; }

        public required object Tables { get; init; }

        public required object Losses { get; init; }

        public required object Validity { get; init; }

        public required object Gates { get; init; }

        public required Scenario Scenario { get; init; }

        public required object SetUp { get; init; }

        public required object Machine { get; init; }
    }
}
