namespace PubSubOverWs.Report.Documents;

/// <summary>Tables for a terminal or a log: aligned columns, two spaces apart, without lines.</summary>
internal static class TextTable
{
    private const string Gap = "  ";

    /// <summary>The names of the columns and the rows. Columns of numbers are aligned right.</summary>
    /// <param name="width">Columns of the terminal, into which cells are broken at their spaces as far as they can be; null: any.</param>
    public static string Write(Table table, int? width = null) =>
        string.Concat(Rows(table, width).SelectMany(lines => lines).Select(line => line + "\n"));

    /// <summary>The same: the lines of the names, and those of each row.</summary>
    public static IReadOnlyList<IReadOnlyList<string>> Rows(Table table, int? width = null)
    {
        var rows = table.Rows.Prepend(table.Columns).ToArray();
        var widths = Widths(rows, width);
        bool[] areNumbers = [.. table.Columns.Select((_, column) => table.Rows.All(row => IsNumber(row[column])))];
        return [.. rows.Select(row => Lines(row, widths, areNumbers))];
    }

    /// <summary>The least width into which it can be broken.</summary>
    public static int LeastWidth(Table table) => Total(Least([.. table.Rows.Prepend(table.Columns)]));

    private static string[] Lines(IReadOnlyList<string> row, int[] widths, bool[] areNumbers)
    {
        var cells = row.Select((cell, i) => Broken(cell, widths[i])).ToArray();
        return
        [
            .. Enumerable.Range(0, cells.Max(cell => cell.Count)).Select(line => string.Join(Gap, cells.Select((cell, i) =>
            {
                var part = cell.ElementAtOrDefault(line) ?? "";
                return areNumbers[i] ? part.PadLeft(widths[i]) : part.PadRight(widths[i]);
            })).TrimEnd()),
        ];
    }

    // The widest column gives way first, so that short ones stay as they are.
    private static int[] Widths(IReadOnlyList<string>[] rows, int? width)
    {
        int[] widths = [.. rows[0].Select((_, column) => rows.Max(row => row[column].Length))];
        var least = Least(rows);
        while (Total(widths) > width)
        {
            var widest = Enumerable.Range(0, widths.Length).Where(i => widths[i] > least[i]).OrderByDescending(i => widths[i]).ToArray();
            if (widest.Length == 0)
                break;
            widths[widest[0]]--;
        }

        return widths;
    }

    private static int[] Least(IReadOnlyList<string>[] rows) =>
        [.. rows[0].Select((_, column) => rows.Max(row => row[column].Split(' ').Max(word => word.Length)))];

    private static int Total(int[] widths) => widths.Sum() + (Gap.Length * (widths.Length - 1));

    private static List<string> Broken(string cell, int width)
    {
        List<string> lines = [];
        foreach (var word in cell.Split(' '))
        {
            if (lines.Count > 0 && lines[^1].Length + 1 + word.Length <= width)
                lines[^1] += " " + word;
            else
                lines.Add(word);
        }

        return lines;
    }

    private static bool IsNumber(string cell) => cell.Length == 0 || cell == Format.None || char.IsAsciiDigit(cell[0]);
}
