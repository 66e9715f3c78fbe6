using PubSubOverWs.LoadTest.Experiments.Paper.Published;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>Facts about the paper that are needed to read the tables.</summary>
internal static class PaperSection
{
    /// <returns>None where nothing is held against it.</returns>
    public static IEnumerable<Block> Of(PaperModel model) => !model.Scenario.IsReplication ? [] :
    [
        new Heading(2, "Notes on the paper"),
        new Paragraph(model.Citation),
        new BulletList(PaperNotes.Load(), IsVerbatim: true),
        new Paragraph(Recomputed(model.Paper)),
        Table.Of(
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
