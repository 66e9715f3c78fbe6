using System.Text;
using System.Text.Json;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>report.json and report.csv of <see cref="StandardReport"/>: docs/standard-report.schema.json.</summary>
internal static class StandardData
{
    private const int Version = 3;

    public static string Json(
        RunFolder folder, RunFacts facts, IReadOnlyList<string> findings,
        IReadOnlyList<(Metric Metric, IReadOnlyList<Comparison> Rows)> tables)
    {
        var report = new
        {
            Report = Version,
            Experiment = facts.Scenario.Kind.Name,
            Findings = findings,
            Valid = facts.IsValid,
            facts.Progress,
            facts.Scenario.Compared,
            Tables = tables.Select(table => new
            {
                Metric = table.Metric.Name,
                Unit = table.Metric.Unit.Text,
                Rows = table.Rows.Select(row => new
                {
                    row.Level,
                    row.First,
                    row.Second,
                    row.Blocks,
                    row.Ratio,
                    row.IsByBlocks,
                    row.Iterations,
                    row.BlockMeans,
                }),
            }),
            Losses = ReportBuilder.Losses(folder).Select(row =>
                new { row.Arm, row.Level, row.Iterations, row.Buckets, row.WithLoss, row.WithLossShare, row.Anomalies, row.Drops }),
            facts.Validity,
            facts.Gates,
            facts.Scenario,
            facts.SetUp,
            facts.Machine,
        };
        return JsonSerializer.Serialize(report, ReportJson.Options) + "\n";
    }

    public static string Csv(RunFolder folder, IReadOnlyList<(Metric Metric, IReadOnlyList<Comparison> Rows)> tables)
    {
        var scenario = folder.Run.Scenario;
        var text = new StringBuilder();
        Line(["metric", .. scenario.Factors.Select(factor => factor.Name), "arm", "statistic", "value", "unit"]);
        foreach (var (metric, rows) in tables)
        {
            foreach (var row in rows)
            {
                Arm(metric, row, scenario.Compared.First, row.First);
                Arm(metric, row, scenario.Compared.Second, row.Second);
                Value(metric, row, "", "ratio", row.Ratio, "");
                Value(metric, row, "", "ratio95Low", row.Judged.Ratio95?.Low, "");
                Value(metric, row, "", "ratio95High", row.Judged.Ratio95?.High, "");
                Value(metric, row, "", "difference95Low", row.Judged.Difference95?.Low, metric.Unit.Text);
                Value(metric, row, "", "difference95High", row.Judged.Difference95?.High, metric.Unit.Text);
                Value(metric, row, "", "holmP", row.Judged.HolmP, "");
            }
        }

        return text.ToString();

        void Arm(Metric metric, Comparison row, string arm, Moments moments)
        {
            Value(metric, row, arm, "count", moments.Count, "iterations");
            Value(metric, row, arm, "mean", moments.Count == 0 ? null : moments.Mean, metric.Unit.Text);
            Value(metric, row, arm, "standardDeviation", moments.Count < 2 ? null : moments.StandardDeviation, metric.Unit.Text);
        }

        void Value(Metric metric, Comparison row, string arm, string statistic, double? value, string unit)
        {
            if (value is { } known && double.IsFinite(known))
                Line([metric.Name, .. row.Level.Settings.Select(setting => Format.Whole(setting.Number)), arm, statistic,
                    known.ToString("G10", System.Globalization.CultureInfo.InvariantCulture), unit]);
        }

        void Line(IEnumerable<string> cells) => text.Append(Formats.Csv.Line(cells)).Append('\n');
    }
}
