using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Compare;

/// <summary>compare.md.</summary>
public static class CompareMarkdown
{
    private static readonly (string, Func<ComparedRow, string>)[] Intervals =
    [
        ("B - A, 95 %", row => Format.Range(row.Difference95, Format.Short)),
        ("B/A", row => Format.Ratio(row.Ratio)),
        ("B/A, 95 %", row => Format.Range(row.Ratio95, Format.Ratio)),
    ];

    public static string Write(RunComparison comparison) => MarkdownText.Write(
    [
        new Heading(1, $"{Run(comparison.A)} and {Run(comparison.B)}"),
        .. Forced(comparison.Forced),
        new Heading(2, "Findings"),
        new BulletList(Found(comparison)),
        new Heading(2, "The runs"),
        Runs(comparison),
        new Heading(2, "How it is judged"),
        Rules(),
        new Heading(2, "Judged"),
        .. comparison.Tables.Where(table => table.Primary).SelectMany(Judged),
        new Heading(2, "Exploratory: not corrected, not judged"),
        .. comparison.Tables.Where(table => !table.Primary).SelectMany(Exploratory),
    ]);

    private static IEnumerable<Block> Forced(IReadOnlyList<string> reasons) => reasons.Count == 0 ? [] :
    [
        new Paragraph("**These runs should not be compared**, and were only because `--force` was given:"),
        new BulletList(reasons),
    ];

    private static IEnumerable<string> Found(RunComparison comparison) => comparison.Tables.Count == 0
        ? ["The runs have no arm and level in common."]
        : comparison.Tables.Where(table => table.Primary).Select(table =>
            $"{table.Arm}, {table.Metric}: B is {string.Join("; ", table.Rows.GroupBy(Word).Select(Levels))}.")
            .Concat(LeftOut(comparison) is { } sentence ? [sentence] : []);

    /// <summary>The levels that only one run has; null: there are none.</summary>
    internal static string? LeftOut(RunComparison comparison)
    {
        var a = comparison.A.Scenario.Levels;
        var b = comparison.B.Scenario.Levels;
        string[] parts = [.. Only("A", a.Except(b)), .. Only("B", b.Except(a))];
        return parts.Length == 0 ? null : $"Compared are the levels that both runs have; {string.Join("; ", parts)}.";

        static string[] Only(string run, IEnumerable<Level> levels) =>
            levels.ToArray() is { Length: > 0 } some ? [$"only {run} has {string.Join(", ", some.Select(Text))}"] : [];
    }

    private static string Levels(IGrouping<string, ComparedRow> rows) =>
        $"{rows.Key} at {string.Join(", ", rows.Select(row => Text(row.Level)))}";

    private static string Text(Level level) => level.Settings is [var only] ? only.Text : level.ToString();

    private static Table Runs(RunComparison comparison) => Table.From(
        (IEnumerable<(string Name, Func<ComparedRun, string> Of)>)
        [
            ("started", run => Format.Utc(run.Started)),
            ("complete, valid", run => $"{(run.Complete ? "yes" : "NO")}, {(run.Valid ? "yes" : "NO")}"),
            ("iterations per arm and level",
                run => $"{Format.Whole(run.Scenario.Iterations)} in {Format.Count(run.Scenario.Blocks, "block")}"),
            ("commit", run => run.Machine.Commit ?? "not known"),
            ("runtime, collector of the load", run => $"{run.Machine.Runtime}, {run.Machine.CollectorMode}"),
            .. Clients(comparison),
            ("queue", run => run.SetUp.Queue),
            ("machine",
                run => $"{run.Machine.Cpu}, {Format.Count(run.Machine.Cores, "core")}, {Format.Whole(run.Machine.MemoryBytes >> 20)} MiB"),
            ("system", run => $"{run.Machine.Os}, {run.Machine.Architecture}"),
        ],
        ("", row => row.Name),
        ("A", row => row.Of(comparison.A)),
        ("B", row => row.Of(comparison.B)));

    // Unless all of them were those of the load runner.
    private static IEnumerable<(string Name, Func<ComparedRun, string> Of)> Clients(RunComparison comparison) =>
        new[] { comparison.A, comparison.B }.Any(run => run.SetUp.Client == ClientKind.Browser)
            ? [("clients", run => Kebab.Text(run.SetUp.Client))]
            : [];

    private static BulletList Rules() => new(
    [
        "The runs are independent: no iteration or block of one corresponds to one of the other, "
            + "so nothing is paired. n counts iterations.",
        "Within a run the iterations of a block share their processes, and one process is one draw. Therefore Welch's test is applied "
            + "twice, to iterations and to the means of blocks, each with Holm's correction over the levels of its table; if they "
            + "disagree, the row is inconclusive.",
        "`higher` and `lower`: p below 0.05 after Holm. `equivalent`: two one-sided tests show that the difference lies within the "
            + "margin of the scenario, at 0.05 after Holm; this takes precedence over higher and lower. `equal`: every iteration of both "
            + "runs has the same value. `inconclusive` is everything else, and does not mean that there is no difference.",
        "A difference may come from the programs, or from anything else that changed between the two runs on this machine. A difference "
            + "below that between two runs of one program says nothing.",
    ]);

    private static IEnumerable<Block> Judged(ComparedTable table)
    {
        (string, Func<ComparedRow, string>)[] lost = [("lost in A", row => Lost(row.LostA)), ("lost in B", row => Lost(row.LostB))];
        return
        [
            new Heading(
                3, $"{table.Arm}: {table.Metric} ({table.Unit}; {(table.Margin is null ? "no margin" : $"margin {table.Margin}")})"),
            Table.From(
                table.Rows,
                [
                    .. Means(table),
                    .. table.Rows.Any(row => row.LostA is not null) ? lost : [],
                    ("n", row => Pair(row.A.Count, row.B.Count)),
                    ("blocks", row => Pair(row.BlocksA, row.BlocksB)),
                    .. Intervals,
                    ("p Holm", row => Format.P(row.Iterations.HolmP)),
                    ("p Holm, blocks", row => Format.P(row.BlockMeans?.HolmP)),
                    ("p equivalent", row => Format.P(row.Iterations.EquivalenceP)),
                    ("B is", Word),
                ]),
        ];
    }

    private static IEnumerable<(string, Func<ComparedRow, string>)> Means(ComparedTable table) =>
    [
        .. table.Rows[0].Level.Settings.Select((setting, i) =>
            (setting.Factor.Name, (Func<ComparedRow, string>)(row => row.Level.Settings[i].Text))),
        ("A", row => Format.MeanSd(row.A)),
        ("B", row => Format.MeanSd(row.B)),
    ];

    private static IEnumerable<Block> Exploratory(ComparedTable table) =>
    [
        new Heading(3, $"{table.Arm}: {table.Metric} ({table.Unit})"),
        Table.From(
            table.Rows.Where(row => row.A.Count > 0 || row.B.Count > 0),
            [
                .. Means(table),
                ("n", row => Pair(row.A.Count, row.B.Count)),
                .. Intervals,
                ("p, not corrected", row => Format.P(row.Iterations.Welch?.P)),
            ]),
    ];

    private static string Lost(LossCount? count) =>
        count is { } of ? $"{Format.Whole(of.Lost)} of {Format.Whole(of.Attempts)}" : Format.None;

    private static string Pair(int a, int b) => a == b ? Format.Whole(a) : $"{Format.Whole(a)} and {Format.Whole(b)}";

    internal static string Word(ComparedRow row) =>
        row.Word!.Value.ToString().ToLowerInvariant() + (row.Reason is null ? "" : $" ({row.Reason})");

    internal static string Run(ComparedRun run) =>
        run.Scenario.Name + (run.Label is null ? "" : $" ({run.Label})") + ", " + Format.Utc(run.Started);
}

/// <summary>What <c>compare</c> prints: the judged rows in one table. compare.md has the rest.</summary>
public static class CompareText
{
    /// <param name="width">Columns of the terminal; null: any.</param>
    public static string Write(RunComparison comparison, int? width = null) =>
        string.Concat(Head(comparison).Select(line => line + "\n")) + Judged(comparison, width);

    private static IEnumerable<string> Head(RunComparison comparison)
    {
        yield return $"A  {CompareMarkdown.Run(comparison.A)}";
        yield return $"B  {CompareMarkdown.Run(comparison.B)}";
        foreach (var reason in comparison.Forced)
            yield return $"These runs should not be compared: {reason}.";
        if (CompareMarkdown.LeftOut(comparison) is { } sentence)
            yield return sentence;
    }

    // Where the columns do not fit, each metric has a line of its own above its rows.
    private static string Judged(RunComparison comparison, int? width)
    {
        const string metric = "metric";
        var rows = comparison.Tables.Where(table => table.Primary)
            .SelectMany(table => table.Rows.Select(row => (Table: table, Row: row))).ToArray();
        (string Name, Func<(ComparedTable Table, ComparedRow Row), string> Cell)[] columns =
        [
            ("arm", one => one.Table.Arm),
            .. rows[0].Row.Level.Settings.Select((setting, i) => (
                setting.Factor.Name,
                (Func<(ComparedTable Table, ComparedRow Row), string>)(one => one.Row.Level.Settings[i].Text))),
            (metric, one => MetricOf(one.Table)),
            ("A", one => Format.Short(one.Row.A.Count == 0 ? null : one.Row.A.Mean)),
            ("B", one => Format.Short(one.Row.B.Count == 0 ? null : one.Row.B.Mean)),
            ("B/A (95 %)", one => one.Row.Ratio is null
                ? ""
                : $"{Format.Ratio(one.Row.Ratio)} ({Format.Range(one.Row.Ratio95, Format.Ratio)})"),
            ("B is", one => CompareMarkdown.Word(one.Row)),
        ];
        var whole = Table.From(rows, columns);
        if (width is null || TextTable.LeastWidth(whole) <= width)
            return TextTable.Write(whole, width);
        var lines = TextTable.Rows(Table.From(rows, [.. columns.Where(column => column.Name != metric)]), width);
        return string.Concat(rows.Zip(lines.Skip(1)).GroupBy(row => MetricOf(row.First.Table))
            .SelectMany(group => group.SelectMany(row => row.Second).Prepend(group.Key))
            .Prepend(string.Join('\n', lines[0]))
            .Select(line => line + "\n"));
    }

    private static string MetricOf(ComparedTable table) => $"{table.Metric}, {table.Unit}";
}
