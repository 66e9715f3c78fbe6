namespace PubSubOverWs.Record.Formats;

/// <summary>Values in CSV files: invariant, exact, empty for null, quoted as in RFC 4180 only where needed.</summary>
internal static class Csv
{
    /// <summary>Longer than any run; sums of longer times might overflow.</summary>
    public static readonly TimeSpan LongestTime = TimeSpan.FromDays(3660);

    public static string Text(long? value) => value?.ToString(CultureInfo.InvariantCulture) ?? "";

    /// <summary>The shortest digits that read back to the same value.</summary>
    public static string Text(double? value) => value?.ToString("R", CultureInfo.InvariantCulture) ?? "";

    public static string Text(bool value) => value ? "true" : "false";

    /// <summary>Microseconds; a tick is a tenth of one, so one decimal is exact.</summary>
    public static string Text(TimeSpan? value) => value is { } time
        ? ((decimal)time.Ticks / TimeSpan.TicksPerMicrosecond).ToString("0.#", CultureInfo.InvariantCulture)
        : "";

    /// <exception cref="FormatException">It is no number.</exception>
    /// <exception cref="OverflowException">It is longer than <see cref="LongestTime"/>.</exception>
    public static TimeSpan Time(string text)
    {
        const NumberStyles Style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint;
        var microseconds = decimal.Parse(text, Style, CultureInfo.InvariantCulture);
        var time = TimeSpan.FromTicks((long)(microseconds * TimeSpan.TicksPerMicrosecond));
        return time.Duration() <= LongestTime ? time : throw new OverflowException();
    }

    public static string Line(IEnumerable<string> cells) => string.Join(',', cells.Select(Quoted));

    /// <summary>The cells of one line; null: a quote is never closed.</summary>
    public static List<string>? Cells(string line)
    {
        var cells = new List<string>();
        var cell = new StringBuilder();
        var quoted = false;
        for (var i = 0; i < line.Length; i++)
        {
            switch (line[i])
            {
                case '"' when quoted && i + 1 < line.Length && line[i + 1] == '"':
                    cell.Append('"');
                    i++;
                    break;
                case '"':
                    quoted = !quoted;
                    break;
                case ',' when !quoted:
                    cells.Add(cell.ToString());
                    cell.Clear();
                    break;
                default:
                    cell.Append(line[i]);
                    break;
            }
        }

        cells.Add(cell.ToString());
        return quoted ? null : cells;
    }

    // A record is one line, so that a cut affects one record only: line ends become spaces.
    private static string Quoted(string cell)
    {
        cell = cell.ReplaceLineEndings(" ");
        return cell.AsSpan().ContainsAny(",\"") ? $"\"{cell.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : cell;
    }
}
