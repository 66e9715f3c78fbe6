namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>Welch's test on iterations, in full, for every metric.</summary>
internal static class EvidenceSection
{
    public static IEnumerable<Block> Write(PaperModel model)
    {
        yield return new Heading(2, "Every test in full");
        var (first, second) = model.Compared;
        yield return new Paragraph(
            $"Welch's test on iterations, which must agree with the judged block means: t, degrees of freedom, two-sided p, and p after "
                + $"Holm's correction over the rows of its table. The difference is {second} - {first}, R is {second}/{first}, and g is "
                + "Hedges' g.");
        MetricTable[] tested =
            [model.Loss, model.LostMessages, model.Latency, model.Bytes, model.KbpsOverDeadline, model.KbpsOverBurst];
        foreach (var block in tested.SelectMany(table => Tested(table, first, second)))
            yield return block;
        yield return new Heading(2, "Exploratory: not judged");
        yield return new Paragraph(
            $"Not corrected for the number of tests. A is the probability that an iteration of {second} has a higher value than one of "
                + $"{first} (ties count half), with the p of Mann and Whitney and of Brunner and Munzel. p permuted is for the difference "
                + "of means, over all rearrangements of iterations between the arms if there are at most 200,000, else over 9,999 drawn "
                + "ones (\"< 0.0001\": no drawn one was as far apart). g has its exact interval.");
        foreach (var block in new[] { model.Loss, model.Latency, model.Bytes }.SelectMany(Explored))
            yield return block;
    }

    private static IEnumerable<Block> Explored(MetricTable table) =>
    [
        new Heading(3, $"{table.Title} (exploratory)"),
        Table.From(
            table.Rows.Select(row => row.Measured).Where(row => row.Exploratory?.MannWhitney is not null),
            ("users", row => Format.Whole(row.Users)),
            ("A", row => Format.Fixed(row.Exploratory!.MannWhitney!.Superiority, 3)),
            ("p Mann-Whitney", row => Format.P(row.Exploratory!.MannWhitney)),
            ("p Brunner-Munzel", row => Format.P(row.Exploratory!.BrunnerMunzel)),
            ("p permuted", row => Format.P(row.Exploratory!.Permutation)),
            ("g", row => Format.Fixed(row.HedgesG, 2)),
            ("g, 95 %", row => Format.Range(row.Exploratory!.HedgesG95, value => Format.Fixed(value, 2)))),
    ];

    private static IEnumerable<Block> Tested(MetricTable table, string first, string second) =>
    [
        new Heading(3, $"{table.Title} ({table.Unit}{(table.Judged ? "" : "; shown, not judged")})"),
        Table.From(
            table.Rows,
            [
                ("users", row => Format.Whole(row.Measured.Users)),
                .. Arm(first, row => row.Measured.First),
                .. Arm(second, row => row.Measured.Second),
                ("difference, 95 %", row => Format.Range(row.Measured.Iterations.Difference95, Format.Short)),
                ("R, 95 %",
                    row => row.Measured.Second.Mean == 0 ? Format.None : Format.Range(row.Measured.Iterations.Ratio95, Format.Ratio)),
                ("t", row => Format.Fixed(row.Measured.Iterations.Test?.T, 2)),
                ("df", row => Format.Fixed(row.Measured.Iterations.Test?.DegreesOfFreedom, 1)),
                ("p", row => Format.P(row.Measured.Iterations.Test?.P)),
                ("Holm p", row => Format.P(row.Measured.Iterations.HolmP)),
                ("g", row => Format.Fixed(row.Measured.HedgesG, 2)),
                ("verdict", Verdict),
            ]),
    ];

    private static (string, Func<MetricRow, string>)[] Arm(string name, Func<MetricRow, Moments> of) =>
    [
        ($"{name} n", row => Format.Whole(of(row).Count)),
        ("mean", row => of(row).Count == 0 ? Format.None : Format.Short(of(row).Mean)),
        ("sd", row => of(row).Count < 2 ? Format.None : Format.Short(of(row).StandardDeviation)),
    ];

    private static string Verdict(MetricRow row) => row.Verdicts.Count == 0
        ? "not judged"
        : string.Join(", ", row.Verdicts.Select(one => $"{one.Key} {one.Value.Text}"));
}
