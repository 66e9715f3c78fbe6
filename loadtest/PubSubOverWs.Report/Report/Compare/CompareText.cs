using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Compare;

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
        var whole = Table.Of(rows, columns);
        if (width is null || TextTable.LeastWidth(whole) <= width)
            return TextTable.Write(whole, width);
        var lines = TextTable.Rows(Table.Of(rows, [.. columns.Where(column => column.Name != metric)]), width);
        return string.Concat(rows.Zip(lines.Skip(1)).GroupBy(row => MetricOf(row.First.Table))
            .SelectMany(group => group.SelectMany(row => row.Second).Prepend(group.Key))
            .Prepend(string.Join('\n', lines[0]))
            .Select(line => line + "\n"));
    }

    private static string MetricOf(ComparedTable table) => $"{table.Metric}, {table.Unit}";
}
