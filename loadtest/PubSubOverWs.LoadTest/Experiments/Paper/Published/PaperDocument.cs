namespace PubSubOverWs.LoadTest.Experiments.Paper.Published;

/// <summary>The paper recomputed from its own printed figures, as Markdown: nothing in it is measured here.</summary>
public static class PaperDocument
{
    public static string Text(PublishedPaper paper) => MarkdownText.Write(
    [
        new Heading(1, "The paper, recomputed from its printed figures"),
        new Paragraph(paper.Citation),
        new Paragraph(
            $"Everything below comes from printed means, deviations and shares, n = {paper.Iterations} for each group and level. Nothing "
                + "in it was measured here."),
        .. Probabilities(paper, PaperCheck.All(paper)),
        .. Effects(PaperEffect.All(paper)),
        .. Consistency(paper),
        new Heading(2, "Notes and errata"),
        new BulletList(PaperNotes.Load()),
    ]);

    private static IEnumerable<Block> Probabilities(PublishedPaper paper, IReadOnlyList<PaperCheck> checks)
    {
        yield return new Heading(2, "Published p-values");
        yield return new Paragraph(
            "A printed mean or deviation stands for every number that rounds to it: half a unit of the last digit to either side. The "
                + "range contains the p of all such numbers; for Welch's test it may be slightly too wide. A test reproduces a printed p "
                + "if its range and that of the printed p overlap; if both tests do, the row does not show which one was used.");
        yield return Table.From(
            checks,
            ("table, users", check => Level(check.Table, check.Row.Users)),
            ("p published", check => check.Row.P?.Text ?? check.Row.PText ?? Format.None),
            ("p pooled", check => Format.P(check.Pooled)),
            ("range", check => Format.Range(PaperCheck.Range(check.Row, paper.Iterations, PooledTest.Test), Format.P)),
            ("p Welch", check => Format.P(check.Welch)),
            ("range", check => Format.Range(PaperCheck.Range(check.Row, paper.Iterations, WelchTest.Test), Format.P)),
            ("reproduced by", ReproducedBy));
        var printed = checks.Where(check => check.Row.P is not null).ToArray();
        yield return new Paragraph($"Of {printed.Length} printed p-values Student's pooled test reproduces "
            + $"{printed.Count(check => check.PooledAttainable == true)}, "
            + $"Welch's {printed.Count(check => check.WelchAttainable == true)}. {Unreached(printed)} "
            + $"Welch's test, which this project judges by, changes {checks.Count(check => check.Row.Significant != check.Welch < 0.05)} "
            + $"of {checks.Count} decisions at 0.05.");
    }

    private static IEnumerable<Block> Effects(IReadOnlyList<PaperEffect> effects)
    {
        yield return new Heading(2, "Size of the differences");
        yield return new Paragraph(
            "pubsub compared with direct, with 95 % intervals: of the difference by Welch, of the ratio R by Fieller, of Hedges' g "
            + "by the noncentral t. "
            + "Holm: Welch's p corrected over the rows of its table. Power: the probability that as many iterations detect a true "
            + "difference as large as the printed one, at 0.05.");
        yield return Table.From(
            effects,
            ("table, users", effect => Level(effect.Table, effect.Users)),
            ("Holm p", effect => Format.P(effect.HolmP)),
            ("difference", effect => Format.Range(effect.Difference, Format.Short)),
            ("R", effect => Format.Ratio(effect.Ratio)),
            ("interval", effect => Format.Range(effect.RatioInterval, Format.Ratio)),
            ("g", effect => Format.Fixed(effect.G, 2)),
            ("interval", effect => Format.Range(effect.GInterval, g => Format.Fixed(g, 2))),
            ("power", effect => Format.Percent(effect.Power, 0)));
    }

    private static IEnumerable<Block> Consistency(PublishedPaper paper)
    {
        yield return new Heading(2, "Consistency of the figures");
        yield return new Paragraph("Table I: success and loss must add up to 100 %.");
        yield return new BulletList(paper.Loss.SelectMany(row =>
            new[] { (row.Users, Group: "direct", Share: row.Direct), (row.Users, Group: "pubsub", Share: row.PubSub) })
            .Where(one => Math.Abs(one.Share.Success + one.Share.Loss - 100) > 1e-6)
            .Select(one =>
                Invariant($"{one.Users} users, {one.Group}: {one.Share.Success:0.00} % + {one.Share.Loss:0.00} % = ")
                    + Invariant($"{one.Share.Success + one.Share.Loss:0.00} %")));
        yield return new Paragraph("Table II: variance between iterations, relative to that of independent losses.");
        yield return Table.From(
            LossSpread.All(paper),
            ("users", one => Format.Whole(one.Users)),
            ("group", one => one.Group),
            ("lost", one => one.Lost.Mean.Text),
            ("deviation", one => one.Lost.Sd.Text),
            ("variance share", one => Format.Fixed(one.Share, 2)));
        yield return new Paragraph("Tables I and IV: bandwidth out compared with delivered messages, pubsub/direct.");
        yield return Table.From(
            DeliveredRatio.All(paper),
            ("users", one => Format.Whole(one.Users)),
            ("delivered", one => Format.Ratio(one.Delivered)),
            ("bandwidth out", one => Format.Ratio(one.Bandwidth)),
            ("bandwidth per delivered message", one => Format.Ratio(one.PerMessage)));
    }

    private static string Unreached(IEnumerable<PaperCheck> printed)
    {
        var rows = printed.Where(check => check is { PooledAttainable: false, WelchAttainable: false })
            .Select(check => $"Table {check.Table} at {check.Row.Users}").ToArray();
        return rows.Length == 0 ? "Each is reproduced by at least one of them." : $"Neither reproduces {string.Join(", ", rows)}.";
    }

    private static string ReproducedBy(PaperCheck check) => (check.PooledAttainable, check.WelchAttainable) switch
    {
        (true, true) => "both",
        (true, false) => "pooled only",
        (false, true) => "Welch only",
        (false, false) => "neither",
        _ => Format.None,
    };

    private static string Level(string table, int users) => $"{table}, {Format.Whole(users)}";
}
