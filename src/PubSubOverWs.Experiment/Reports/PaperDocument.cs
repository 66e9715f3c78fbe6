using System.Globalization;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Published;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>The paper recomputed from its own printed figures, as Markdown: nothing in it is measured here.</summary>
public static class PaperDocument
{
    public static string Of(Paper paper)
    {
        var text = new MarkdownText();
        text.Heading(1, "The paper, recomputed from its printed figures");
        text.Paragraph(paper.Citation);
        text.Paragraph(
            $"Everything below comes from printed means, deviations and shares, n = {paper.Iterations} for each group and level. Nothing "
                + "in it was measured here.");
        Probabilities(text, paper, PaperCheck.All(paper));
        Effects(text, PaperEffect.All(paper));
        Consistency(text, paper);
        text.Heading(2, "Notes and errata");
        text.List(PaperNotes.Load());
        return text.ToString();
    }

    private static void Probabilities(MarkdownText text, Paper paper, IReadOnlyList<PaperCheck> checks)
    {
        text.Heading(2, "Published p-values");
        text.Paragraph("A printed mean or deviation may be any number that rounds to it: half a unit of the last digit to either side. "
            + "\"Can be\" holds the p of all such numbers: for the pooled test no more, for Welch's perhaps a little more. "
            + "A test reproduces a printed p where both ranges meet; where both tests do, the row does not tell which was used.");
        text.Table(
            ["table, users", "p published", "p pooled", "can be", "p Welch", "can be", "reproduced by"],
            checks.Select(check => (IReadOnlyList<string>)
            [
                Level(check.Table, check.Row.Users),
                check.Row.P?.Text ?? check.Row.PText ?? Format.None,
                Format.P(check.Pooled),
                Format.Range(PaperCheck.Range(check.Row, paper.Iterations, PooledTest.Test), Format.P),
                Format.P(check.Welch),
                Format.Range(PaperCheck.Range(check.Row, paper.Iterations, WelchTest.Test), Format.P),
                ReproducedBy(check),
            ]));
        var printed = checks.Where(check => check.Row.P is not null).ToArray();
        text.Paragraph($"Of {printed.Length} printed p-values Student's pooled test reproduces "
            + $"{printed.Count(check => check.PooledAttainable == true)}, "
            + $"Welch's {printed.Count(check => check.WelchAttainable == true)}. {Unreached(printed)} "
            + $"Welch's test, which this project judges by, changes {checks.Count(check => check.Row.Significant != check.Welch < 0.05)} "
            + $"of {checks.Count} decisions at 0.05.");
    }

    private static void Effects(MarkdownText text, IReadOnlyList<PaperEffect> effects)
    {
        text.Heading(2, "How large the differences are");
        text.Paragraph("pubsub against direct, with 95 % intervals: of the difference by Welch, of the ratio R by Fieller, of Hedges' g "
            + "by the noncentral t. "
            + "Holm: Welch's p corrected over the rows of its table. Power: how often as many iterations find a true difference as large "
            + "as the printed one at 0.05.");
        text.Table(
            ["table, users", "Holm p", "difference", "R", "interval", "g", "interval", "power"],
            effects.Select(effect => (IReadOnlyList<string>)
            [
                Level(effect.Table, effect.Users),
                Format.P(effect.HolmP),
                Format.Range(effect.Difference, Format.Short),
                Format.Ratio(effect.Ratio),
                Format.Range(effect.RatioInterval, Format.Ratio),
                Format.Fixed(effect.G, 2),
                Format.Range(effect.GInterval, g => Format.Fixed(g, 2)),
                Format.Percent(effect.Power, 0),
            ]));
    }

    private static void Consistency(MarkdownText text, Paper paper)
    {
        text.Heading(2, "Whether the figures agree with each other");
        text.Paragraph("Table I: success and loss must add up to 100 %.");
        text.List(paper.Loss.SelectMany(row =>
            new[] { (row.Users, Group: "direct", Share: row.Direct), (row.Users, Group: "pubsub", Share: row.PubSub) })
            .Where(one => Math.Abs(one.Share.Success + one.Share.Loss - 100) > 1e-6)
            .Select(one =>
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{one.Users} users, {one.Group}: {one.Share.Success:0.00} % + {one.Share.Loss:0.00} % = "
                        + $"{one.Share.Success + one.Share.Loss:0.00} %")));
        text.Paragraph("Table II: variance between iterations, over that of losses which fall on each message independently.");
        text.Table(
            ["users", "group", "lost", "deviation", "variance share"],
            LossSpread.All(paper)
                .Select(one =>
                    (IReadOnlyList<string>)[Format.Whole(one.Users), one.Group, one.Lost.Mean.Text, one.Lost.Sd.Text,
                        Format.Fixed(one.Share, 2)]));
        text.Paragraph("Tables I and IV: bandwidth out beside delivered messages, pubsub/direct.");
        text.Table(
            ["users", "delivered", "bandwidth out", "bandwidth per delivered message"],
            DeliveredRatio.All(paper)
                .Select(one =>
                    (IReadOnlyList<string>)[Format.Whole(one.Users), Format.Ratio(one.Delivered), Format.Ratio(one.Bandwidth),
                        Format.Ratio(one.PerMessage)]));
    }

    private static string Unreached(IEnumerable<PaperCheck> printed)
    {
        var rows = printed.Where(check => check is { PooledAttainable: false, WelchAttainable: false })
            .Select(check => $"Table {check.Table} at {check.Row.Users}").ToArray();
        return rows.Length == 0 ? "Every one is reproduced by one of them." : $"Neither reproduces {string.Join(", ", rows)}.";
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
