using PubSubOverWs.Experiment.Claims.Standard;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>report.json and report.csv of <see cref="StandardReport"/>: docs/standard-report.schema.json.</summary>
internal static class StandardData
{
    private const int Version = 3;

    public static string Json(
        RunFolder folder, RunFacts facts, IReadOnlyList<string> findings, IReadOnlyList<MetricComparisons> tables,
        IReadOnlyList<ClaimResult> claims)
    {
        var report = new
        {
            Report = Version,
            Experiment = facts.Scenario.Kind.Name,
            Findings = findings,
            Valid = facts.IsValid,
            facts.Progress,
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
            facts.Validity,
            facts.Gates,
            facts.Scenario,
            facts.SetUp,
            facts.Machine,
        };
        return ReportJson.Write(report);
    }

    public static string Csv(RunFolder folder, IReadOnlyList<MetricComparisons> tables, IReadOnlyList<ClaimResult> claims)
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

        return text.ToString();

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

        IEnumerable<string> Numbers(Level level) => level.Settings.Select(setting => setting.Text);

        void Line(IEnumerable<string> cells) => text.Append(Formats.Csv.Line(cells)).Append('\n');
    }
}
