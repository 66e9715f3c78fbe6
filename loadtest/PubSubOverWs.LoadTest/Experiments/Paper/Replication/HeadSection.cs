using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>The findings, and the conclusions that they allow.</summary>
internal static class HeadSection
{
    public static IEnumerable<Block> Write(PaperModel model) =>
    [
        new Heading(1, Title(model)),
        new Heading(2, "Findings"),
        new BulletList(model.Findings),
        .. Verdicts(model),
        new Heading(2, "What is judged and what is shown"),
        Rules(model),
    ];

    /// <summary>Such as <c>paper (burst), 2026-11-21 20:07:04 UTC</c>; an A/A run says so.</summary>
    public static string Title(PaperModel model)
    {
        var label = model.Progress.Label is { } name ? $" ({name})" : "";
        var itself = model.AgainstItself is { } found ? $", A/A of {found.Server}" : "";
        return $"{model.Scenario.Name}{label}{itself}, {Format.Utc(model.Progress.Started)}";
    }

    /// <summary>Of the hypotheses, where there are any.</summary>
    public static IEnumerable<Block> Verdicts(PaperModel model) => model.Hypotheses.Count == 0 ? [] :
    [
        Table.From(
            model.Hypotheses,
            ("hypothesis", one => one.Id),
            ("verdict", one => $"**{one.Text}**"),
            ("claim", one => one.Claim),
            ("by level", Levels)),
    ];

    public static BulletList Rules(PaperModel model) => new(model.AgainstItself is not null
        ? ["n counts iterations, never messages. Both arms run the same program, so any difference between them is noise of the set-up. "
            + "The criterion is how often Welch's test rejects, over loss, mean latency and bytes per delivered message at all levels; "
            + "everything else is only shown."]
        : model.Fault is not null
        ? ["n counts iterations, never messages. The prediction from before the run is judged line by line; everything else is only shown. "
            + "Nothing is compared with the paper, which has no faults.",
            "Losses of a fault are clustered, so no interval treats messages as independent: arms are compared by a permutation of "
                + "blocks, by their counts, exactly if there are at most 200,000 rearrangements. Arms that differ by less than a "
                + "percentage point (90 %) are alike, however small p is. p is for this run alone: a list of results corrects it for "
                + "the other runs in the list."]
        : !model.Scenario.IsReplication
        ? ["n counts iterations, never messages. Gates are judged; everything else is only shown. An arm is said to be significantly "
            + "higher or lower at a level only with 20 iterations of each arm in five blocks, by the paired test of block means after "
            + "Holm's correction over the levels."]
        :
    [
        "n counts iterations, never messages. The judged quantities are loss in percentage points (H1a and H1b), the ratio of mean "
            + "latencies (H2), and the ratio of bytes to clients per delivered message (H3').",
        "A verdict needs 20 iterations of each arm in five blocks; with fewer there is none. Paired block means are judged, after Holm's "
            + "correction over the rows of the table, because iterations of one block share a process. Welch's test on iterations, and "
            + "the same test with n_eff, must agree (H1a compares no arms). \"Reproduced\" and \"no difference\" also need a noise floor.",
        "Direction is asked first: alike, where the 90 % interval lies within the margin (latency 1 %, loss half the published "
            + "difference), however small p is; else as claimed or opposite, where p is below 0.05; else open. Size is asked where the "
            + "direction is as claimed: the published size must lie in the 95 % interval, and both ends of that within a factor of two of "
            + "the published effect; a wider interval is too coarse. Both as published is \"reproduced\".",
        "A row contradicts a hypothesis only where the paper claims it, by the opposite direction or by being alike. Latency at 50 and "
            + "100 users was not significant in the paper, so those rows count neither for nor against H2.",
        "H3 as published, more Kbps, is shown and not judged. H3' has no published size and is equal by construction: a difference "
            + "beyond 0.4 % would be a fault of the set-up.",
        "Only shown: absolute ms and Kbps (the paper's load and averaging window are not published, so absolute values are not testable), "
            + "egress with the queue's traffic, percentiles, the pooled test and effect sizes.",
    ]);

    /// <summary>The resolution of the set-up: the findings of an A/A run, or the A/A runs that another run is held against.</summary>
    public static IEnumerable<Block> Noise(PaperModel model)
    {
        if (model.AgainstItself is not { } found)
            return model.NoiseFloor is { } noise ? NoiseSection.Sources(noise) : [];
        return NoiseSection.Found(found, model.Compared, model.Latency.Rows.Select((row, i) =>
            (row.Measured, model.Bytes.Rows[i].Measured, model.Loss.Rows[i].Measured, model.Resolved![i])));
    }

    private static string Levels(HypothesisVerdict one) => one.Rows.Count == 0
        ? Format.None
        : string.Join("; ", one.Rows.GroupBy(row => (row.Text, row.Reason)).Select(group =>
            $"{string.Join(", ", group.Select(row => Format.Whole(row.Users)))}: {group.Key.Text} ({group.Key.Reason})"));
}

/// <summary>Facts about the paper that are needed to read the tables.</summary>
internal static class PaperSection
{
    /// <returns>None where nothing is held against it.</returns>
    public static IEnumerable<Block> Write(PaperModel model) => !model.Scenario.IsReplication ? [] :
    [
        new Heading(2, "Notes on the paper"),
        new Paragraph(model.Citation),
        new BulletList(PaperNotes.Load(), IsVerbatim: true),
        new Paragraph(Recomputed(model.Paper)),
        Table.From(
            model.Paper,
            ("table, users", row => $"{row.Table}, {Format.Whole(row.Row.Users)}"),
            ("p published", row => row.Row.P?.Text ?? row.Row.PText ?? Format.None),
            ("p pooled", row => Format.P(row.Pooled)),
            ("attainable", row => YesNo(row.PooledAttainable)),
            ("p Welch", row => Format.P(row.Welch)),
            ("attainable", row => YesNo(row.WelchAttainable)),
            ("R", row => Format.Ratio(row.Row.Ratio))),
    ];

    private static string Recomputed(IReadOnlyList<PaperCheck> rows)
    {
        var printed = rows.Where(row => row.Row.P is not null).ToArray();
        return "The published p-values, recomputed from the printed means and deviations, n = 30. Attainable: values that round to the "
            + "printed ones can have this p. "
            + $"Student's pooled test attains {printed.Count(row => row.PooledAttainable == true)} of {printed.Length} printed p-values, "
            + $"Welch's {printed.Count(row => row.WelchAttainable == true)}; "
            + $"{Neither(printed)} by neither. Welch's test changes none of the decisions at 0.05.";
    }

    private static string Neither(IEnumerable<PaperCheck> rows)
    {
        var none = rows.Where(row => row.PooledAttainable == false && row.WelchAttainable == false)
            .Select(row => $"Table {row.Table} at {row.Row.Users} is attained").ToArray();
        return none.Length == 0 ? "none is attained" : string.Join(", ", none);
    }

    private static string YesNo(bool? value) => value switch { true => "yes", false => "no", null => Format.None };
}
