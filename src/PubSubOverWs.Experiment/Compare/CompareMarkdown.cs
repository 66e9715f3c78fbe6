using PubSubOverWs.Experiment.Documents;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>compare.md, and what <c>compare</c> prints.</summary>
public static class CompareMarkdown
{
    public static string Write(RunComparison comparison)
    {
        var text = new MarkdownText();
        text.Heading(1, $"{Run(comparison.A)} and {Run(comparison.B)}");
        if (comparison.Forced.Count > 0)
        {
            text.Paragraph("**These runs should not be compared**, and were only because `--force` was given:");
            text.List(comparison.Forced);
        }

        text.Heading(2, "What was found");
        text.List(Found(comparison));
        text.Heading(2, "The runs");
        Runs(text, comparison);
        text.Heading(2, "What is judged, and how");
        Rules(text);
        text.Heading(2, "Judged");
        foreach (var table in comparison.Tables.Where(table => table.Primary))
            Judged(text, table);
        text.Heading(2, "Exploratory: not corrected, and judged by nothing");
        foreach (var table in comparison.Tables.Where(table => !table.Primary))
            Exploratory(text, table);
        return text.ToString();
    }

    private static IEnumerable<string> Found(RunComparison comparison) => comparison.Tables.Count == 0
        ? ["The runs have no arm and level in common."]
        : comparison.Tables.Where(table => table.Primary).Select(table =>
            $"{table.Arm}, {table.Metric}: B is {string.Join("; ", table.Rows.GroupBy(Word).Select(Levels))}.");

    private static string Levels(IGrouping<string, ComparedRow> rows) =>
        $"{rows.Key} at {string.Join(", ", rows.Select(row => Format.Whole(row.Users)))}";

    private static void Runs(MarkdownText text, RunComparison comparison) => text.Table(
        ["", "A", "B"],
        new (string Name, Func<ComparedRun, string> Of)[]
        {
            ("started", run => Format.Utc(run.Started)),
            ("complete, valid", run => $"{(run.Complete ? "yes" : "NO")}, {(run.Valid ? "yes" : "NO")}"),
            ("iterations per arm and level",
                run => $"{Format.Whole(run.Scenario.Iterations)} in {Format.Count(run.Scenario.Blocks, "block")}"),
            ("commit", run => run.Machine.Commit ?? "not known"),
            ("runtime, collector of the load", run => $"{run.Machine.Runtime}, {run.Machine.CollectorMode}"),
            ("queue", run => run.SetUp.Queue),
            ("machine",
                run => $"{run.Machine.Cpu}, {Format.Count(run.Machine.Cores, "core")}, {Format.Whole(run.Machine.MemoryBytes >> 20)} MiB"),
            ("system", run => $"{run.Machine.Os}, {run.Machine.Architecture}"),
        }.Select(row => (IReadOnlyList<string>)[row.Name, row.Of(comparison.A), row.Of(comparison.B)]));

    private static void Rules(MarkdownText text) => text.List(
    [
        "The runs are independent: no iteration and no block of one belongs to one of the other, so nothing is paired. n is the number "
            + "of iterations.",
        "Within a run the iterations of a block share their processes, and one process is one draw. So Welch's test is made twice, on "
            + "iterations and on the means of blocks, each with Holm's correction over the levels of its table; where they say different "
            + "things, the row is inconclusive.",
        "`higher` and `lower`: p below 0.05 after Holm. `equivalent`: two one-sided tests show that the difference lies within the "
            + "margin of the scenario, at 0.05 after Holm; that goes before higher and lower. `equal`: every iteration of both runs read "
            + "the same value. `inconclusive` is everything else, and does not mean that there is no difference.",
        "What differs may be the programs, or whatever else changed between the two runs on this machine. A difference below that of two "
            + "runs of one program says nothing.",
    ]);

    private static void Judged(MarkdownText text, ComparedTable table)
    {
        var counted = table.Rows.Any(row => row.LostA is not null);
        text.Heading(3, $"{table.Arm}: {table.Metric} ({table.Unit}; {(table.Margin is null ? "no margin" : $"margin {table.Margin}")})");
        text.Table(
            ["users", "A", "B", .. (string[])(counted ? ["lost in A", "lost in B"] : []), "n", "blocks", "B - A, 95 %", "B/A", "B/A, 95 %",
                "p Holm", "p Holm, blocks", "p equivalent", "B is"],
            table.Rows.Select(row => (IReadOnlyList<string>)
            [
                .. Means(row),
                .. (string[])(counted ? [Lost(row.LostA), Lost(row.LostB)] : []),
                Pair(row.A.Count, row.B.Count),
                Pair(row.BlocksA, row.BlocksB),
                .. Intervals(row),
                Format.P(row.Iterations.HolmP),
                Format.P(row.BlockMeans?.HolmP),
                Format.P(row.Iterations.EquivalenceP),
                Word(row),
            ]));
    }

    private static void Exploratory(MarkdownText text, ComparedTable table)
    {
        text.Heading(3, $"{table.Arm}: {table.Metric} ({table.Unit})");
        text.Table(
            ["users", "A", "B", "n", "B - A, 95 %", "B/A", "B/A, 95 %", "p, not corrected"],
            table.Rows.Where(row => row.A.Count > 0 || row.B.Count > 0).Select(row => (IReadOnlyList<string>)
                [.. Means(row), Pair(row.A.Count, row.B.Count), .. Intervals(row), Format.P(row.Iterations.Welch?.P)]));
    }

    private static string[] Means(ComparedRow row) => [Format.Whole(row.Users), Format.MeanSd(row.A), Format.MeanSd(row.B)];

    private static string[] Intervals(ComparedRow row) =>
        [Format.Range(row.Difference95, Format.Short), Format.Ratio(row.Ratio), Format.Range(row.Ratio95, Format.Ratio)];

    private static string Lost(LossCount? count) =>
        count is { } of ? $"{Format.Whole(of.Lost)} of {Format.Whole(of.Attempts)}" : Format.None;

    private static string Pair(int a, int b) => a == b ? Format.Whole(a) : $"{Format.Whole(a)} and {Format.Whole(b)}";

    private static string Word(ComparedRow row) =>
        row.Word!.Value.ToString().ToLowerInvariant() + (row.Reason is null ? "" : $" ({row.Reason})");

    private static string Run(ComparedRun run) =>
        run.Scenario.Name + (run.Label is null ? "" : $" ({run.Label})") + ", " + Format.Utc(run.Started);
}
