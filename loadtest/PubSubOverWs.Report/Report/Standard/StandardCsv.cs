using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard;

/// <summary>report.csv of <see cref="StandardReport"/>: one value in each line. Missing values are omitted.</summary>
internal sealed class StandardCsv
{
    private readonly StringBuilder _text = new();
    private readonly HashSet<(Metric, Level, string)> _written = [];

    public static string Write(
        Scenario scenario, IReadOnlyList<MetricComparisons> tables, IReadOnlyList<ClaimResult> claims, IReadOnlyList<KneeRow> knees)
    {
        var csv = new StandardCsv();
        csv.Line(["metric", .. scenario.Factors.Select(factor => factor.Name), "arm", "against", "statistic", "value", "unit"]);
        foreach (var table in tables)
        {
            foreach (var (contrast, rows) in table.Contrasts)
            {
                foreach (var row in rows)
                    csv.Add(table.Metric, contrast, row);
            }
        }

        foreach (var claim in claims)
        {
            csv.Line([$"claim {claim.Claim.Id}", .. scenario.Factors.Select(_ => ""), "", "", "verdict", claim.Together.Word, ""]);
            foreach (var (level, verdict) in claim.Levels)
                csv.Line([$"claim {claim.Claim.Id}", .. Numbers(level), "", "", "verdict", verdict.Word, ""]);
        }

        foreach (var knee in knees)
        {
            csv.Rate(scenario, knee, "holds", knee.Holds);
            csv.Rate(scenario, knee, "does not hold", knee.Fails);
        }

        return csv._text.ToString();
    }

    private void Add(Metric metric, Contrast contrast, Comparison row)
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

    // Once, also for an arm of several contrasts.
    private void Arm(Metric metric, Comparison row, string arm, Moments moments)
    {
        if (!_written.Add((metric, row.Level, arm)))
            return;
        Value(metric, row.Level, (arm, ""), "count", moments.Count, "iterations");
        Value(metric, row.Level, (arm, ""), "mean", moments.Count == 0 ? null : moments.Mean, metric.Unit.Text);
        Value(metric, row.Level, (arm, ""), "standardDeviation", moments.Count < 2 ? null : moments.StandardDeviation, metric.Unit.Text);
    }

    private void Rate(Scenario scenario, KneeRow knee, string statistic, int? rate)
    {
        if (rate is { } known)
            Line([$"knee, {knee.Limit}", .. scenario.Factors.Select(factor => knee.NumberOf(factor)), knee.Arm, "",
                knee.Block is { } block ? $"{statistic}, block {Format.Whole(block)}" : statistic, Format.Whole(known), knee.Unit]);
    }

    private void Value(Metric metric, Level level, (string Arm, string Against) of, string statistic, double? value, string unit)
    {
        if (value is { } known && double.IsFinite(known))
            Line([metric.Name, .. Numbers(level), of.Arm, of.Against, statistic,
                known.ToString("G10", System.Globalization.CultureInfo.InvariantCulture), unit]);
    }

    private static IEnumerable<string> Numbers(Level level) => level.Settings.Select(setting => setting.Text);

    private void Line(IEnumerable<string> cells) => _text.Append(Csv.Line(cells)).Append('\n');
}
