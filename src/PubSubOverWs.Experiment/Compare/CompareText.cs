namespace PubSubOverWs.Experiment.Compare;

/// <summary>What <c>compare</c> prints: the judged rows in one table. compare.md has the rest.</summary>
public static class CompareText
{
    /// <param name="width">Columns of the terminal; null: any.</param>
    public static string Write(RunComparison comparison, int? width = null) =>
        string.Concat(Head(comparison).Select(line => line + "\n")) + TextTable.Write(Judged(comparison), width);

    private static IEnumerable<string> Head(RunComparison comparison)
    {
        yield return $"A  {CompareMarkdown.Run(comparison.A)}";
        yield return $"B  {CompareMarkdown.Run(comparison.B)}";
        foreach (var reason in comparison.Forced)
            yield return $"These runs should not be compared: {reason}.";
        if (CompareMarkdown.LeftOut(comparison) is { } sentence)
            yield return sentence;
    }

    private static Table Judged(RunComparison comparison)
    {
        var rows = comparison.Tables.Where(table => table.Primary)
            .SelectMany(table => table.Rows.Select(row => (Table: table, Row: row))).ToArray();
        return Table.Of(
            rows,
            [
                ("arm", one => one.Table.Arm),
                .. rows[0].Row.Level.Settings.Select((setting, i) => (
                    setting.Factor.Name,
                    (Func<(ComparedTable Table, ComparedRow Row), string>)(one => one.Row.Level.Settings[i].Text))),
                ("metric", one => $"{one.Table.Metric}, {one.Table.Unit}"),
                ("A", one => Format.Short(one.Row.A.Count == 0 ? null : one.Row.A.Mean)),
                ("B", one => Format.Short(one.Row.B.Count == 0 ? null : one.Row.B.Mean)),
                ("B/A (95 %)", one => one.Row.Ratio is null
                    ? ""
                    : $"{Format.Ratio(one.Row.Ratio)} ({Format.Range(one.Row.Ratio95, Format.Ratio)})"),
                ("B is", one => CompareMarkdown.Word(one.Row)),
            ]);
    }
}
