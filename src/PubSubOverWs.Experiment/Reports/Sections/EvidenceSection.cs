using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Reports.Sections;

/// <summary>Welch's test on iterations, in full, for every metric.</summary>
internal static class EvidenceSection
{
    public static void Write(IReportText text, ReportModel model)
    {
        text.Heading(2, "Every test in full");
        var (first, second) = model.Compared;
        text.Paragraph(
            $"Welch's test on iterations, which must agree with the block means that are judged: t, degrees of freedom, two-sided p, and "
                + $"p after Holm's correction over the rows of its table. The difference is {second} - {first}, R is {second}/{first}, g "
                + "is Hedges'.");
        foreach (var table in new[] { model.Loss, model.LostMessages, model.Latency, model.Bytes, model.KbpsOverDeadline,
            model.KbpsOverBurst })
            Table(text, table, first, second);
        text.Heading(2, "Exploratory, judged by nothing");
        text.Paragraph($"Not corrected for how many there are. A is the chance that an iteration of {second} reads above one of {first} "
            + "(half where they are equal), with the p of Mann and Whitney and of Brunner and Munzel; "
            + "p permuted is of the difference of means, iterations rearranged between the arms, all of them up to 200,000 and else "
            + "9,999 that are drawn (\"< 0.0001\": none of those was as far apart); g has its exact interval.");
        foreach (var table in new[] { model.Loss, model.Latency, model.Bytes })
            Explored(text, table);
    }

    private static void Explored(IReportText text, MetricTable table)
    {
        text.Heading(3, $"{table.Title} (exploratory)");
        text.Table(
            ["users", "A", "p Mann-Whitney", "p Brunner-Munzel", "p permuted", "g", "g, 95 %"],
            table.Rows.Where(row => row.Measured.Exploratory?.MannWhitney is not null).Select(row => (IReadOnlyList<string>)
            [
                Format.Whole(row.Measured.Users),
                Format.Fixed(row.Measured.Exploratory!.MannWhitney!.Superiority, 3),
                Format.P(row.Measured.Exploratory.MannWhitney),
                Format.P(row.Measured.Exploratory.BrunnerMunzel),
                Format.P(row.Measured.Exploratory.Permutation),
                Format.Fixed(row.Measured.HedgesG, 2),
                Format.Range(row.Measured.Exploratory.HedgesG95, value => Format.Fixed(value, 2)),
            ]));
    }

    private static void Table(IReportText text, MetricTable table, string first, string second)
    {
        text.Heading(3, $"{table.Title} ({table.Unit}{(table.Judged ? "" : "; shown, not judged")})");
        text.Table(
            ["users", $"{first} n", "mean", "sd", $"{second} n", "mean", "sd", "difference, 95 %", "R, 95 %", "t", "df", "p", "Holm p", "g",
                "verdict"],
            table.Rows.Select(row => (IReadOnlyList<string>)
            [
                Format.Whole(row.Measured.Users),
                .. Arm(row.Measured.First),
                .. Arm(row.Measured.Second),
                Format.Range(row.Measured.Iterations.Difference95, Format.Short),
                row.Measured.Second.Mean == 0 ? Format.None : Format.Range(row.Measured.Iterations.Ratio95, Format.Ratio),
                Format.Fixed(row.Measured.Iterations.Test?.T, 2),
                Format.Fixed(row.Measured.Iterations.Test?.DegreesOfFreedom, 1),
                Format.P(row.Measured.Iterations.Test?.P),
                Format.P(row.Measured.Iterations.HolmP),
                Format.Fixed(row.Measured.HedgesG, 2),
                Verdict(row),
            ]));
    }

    private static string[] Arm(Moments moments) =>
    [
        Format.Whole(moments.Count),
        moments.Count == 0 ? Format.None : Format.Short(moments.Mean),
        moments.Count < 2 ? Format.None : Format.Short(moments.StandardDeviation),
    ];

    private static string Verdict(MetricRow row) => row.Verdicts.Count == 0
        ? "not judged"
        : string.Join(", ", row.Verdicts.Select(one => $"{one.Key} {VerdictText.Of(one.Value.Verdict)}"));
}
