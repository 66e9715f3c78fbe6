namespace PubSubOverWs.Experiment.Documents;

/// <summary>Tables for a terminal or a log: aligned columns, two spaces apart, without lines.</summary>
internal static class TextTable
{
    /// <summary>A line for the names of the columns and one for each row. Columns of numbers are aligned right.</summary>
    public static string Write(Table table)
    {
        var rows = table.Rows.Prepend(table.Columns).ToArray();
        int[] widths = [.. table.Columns.Select((_, column) => rows.Max(row => row[column].Length))];
        bool[] areNumbers = [.. table.Columns.Select((_, column) => table.Rows.All(row => IsNumber(row[column])))];
        return string.Concat(rows.Select(row => string.Join(
            "  ", row.Select((cell, i) => areNumbers[i] ? cell.PadLeft(widths[i]) : cell.PadRight(widths[i]))).TrimEnd() + "\n"));
    }

    private static bool IsNumber(string cell) => cell.Length == 0 || cell == Format.None || char.IsAsciiDigit(cell[0]);
}
