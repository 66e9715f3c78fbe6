using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// A table of a page that is cut out of reports. The marker above it names the records, the heading of the reports, and which rows:
/// <code>
/// &lt;!-- table of results/paper/A-burst results/paper/B-spread: Table III where users = 50 --&gt;
/// | users | direct measured, burst | R, spread |
/// | --- | ---: | ---: |
/// </code>
/// The head of the table says which columns: a column's name or its beginning; before it an arm and a colon, where a report has a row for
/// each arm; behind it a comma and the label of a record, where records would have different values. Columns that are aligned to the left
/// are the key of a row; all others are filled in. "together" before the records takes what <c>report --together</c> says of them.
/// </summary>
internal static partial class PageTable
{
    /// <summary>A page with all of its tables as the reports have them.</summary>
    /// <param name="path">From the root.</param>
    public static string Fill(string path)
    {
        var page = SourceTree.Read(path);
        // No marker that is not understood.
        Assert.Equal(Regex.Count(page, "^<!-- table of ", RegexOptions.Multiline), Marker().Count(page));
        return Marker().Replace(page, match => match.Groups["head"].Value
            + string.Concat(Rows(match).Select(row => $"| {string.Join(" | ", row)} |\n"))
                .Replace("(results/", $"({string.Concat(Enumerable.Repeat("../", path.Count(letter => letter == '/')))}results/"));
    }

    private static IEnumerable<string[]> Rows(Match marker)
    {
        var heading = marker.Groups["heading"].Value;
        var where = marker.Groups["where"].Value.Split(", ", StringSplitOptions.RemoveEmptyEntries)
            .Select(condition => condition.Split(" = ")).ToArray();
        var folders = Folders(marker.Groups["records"].Value);
        IEnumerable<(string Label, IReadOnlyList<ReportRow> Rows)> read = marker.Groups["together"].Success
            ? [("", ReportTables.ReadTogether([.. folders], heading))]
            : folders.Select(folder => (Label().Match(folder).Groups["label"].Value, ReportTables.Read(folder, heading)));
        (string Label, ReportRow[] Rows)[] records = [.. read.Select(record => (
            record.Label,
            record.Rows.Where(row => where.All(condition => row.Cell(condition[0]) == condition[1])).ToArray()))];
        var columns = ReportTables.Split(marker.Groups["columns"].Value);
        var isKey = ReportTables.Split(marker.Groups["rule"].Value).Select(rule => !rule.EndsWith(':')).ToArray();
        var keys = columns.Where((_, at) => isKey[at]).ToArray();
        var arms = records.SelectMany(record => record.Rows).Select(row => row.Cell("arm")).OfType<string>().ToHashSet();
        var found = columns.ToDictionary(column => column, _ => false);

        foreach (var key in records.SelectMany(record => record.Rows).Select(Key).OfType<string>().Distinct().ToArray())
            yield return [.. columns.Select((column, at) => isKey[at] ? key.Split('\n')[Array.IndexOf(keys, column)] : Value(key, column))];
        Assert.All(columns.Where((_, at) => !isKey[at]), column => Assert.True(found[column], $"{heading}: no row has a column {column}"));

        string? Key(ReportRow row)
        {
            var cells = keys.Select(column => row.Cell(column)).ToArray();
            return cells.Contains(null) ? null : string.Join('\n', cells);
        }

        string Value(string key, string column)
        {
            var parts = column.Split(": ", 2);
            var arm = parts.Length == 2 && arms.Contains(parts[0]) ? parts[0] : null;
            var name = arm is null ? column : parts[1];
            var label = records.Select(record => record.Label).FirstOrDefault(one => one.Length > 0 && name.EndsWith($", {one}"));
            if (label is not null)
                name = name[..^(label.Length + 2)];
            var cells = records.Where(record => label is null || record.Label == label).Select(record => record.Rows
                .Where(row => Key(row) == key && (arm is null || row.Cell("arm") == arm) && row.Cell(name) is not null)
                .GroupBy(row => row.Table).FirstOrDefault()).FirstOrDefault(rows => rows is not null);
            if (cells is null)
                return "–";
            found[column] = true;
            return Assert.Single(cells.Select(row => row.Cell(name)!).Distinct());
        }
    }

    // A folder of records stands for all of them.
    private static IEnumerable<string> Folders(string records) =>
        records.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).SelectMany(Folder);

    private static IEnumerable<string> Folder(string path)
    {
        var whole = Path.Combine(SourceTree.Root, path);
        return File.Exists(Path.Combine(whole, "report.md"))
            ? [path]
            : Directory.EnumerateDirectories(whole).Select(folder => $"{path}/{Path.GetFileName(folder)}").Order(StringComparer.Ordinal);
    }

    [GeneratedRegex(@"(?<head><!--\ table\ of\ (?<together>together\s+)?(?<records>[^:>]+):
        \ (?<heading>[^>]+?)(\s+where\ (?<where>[^>]+?))?\s*-->\n
        (?<columns>\|[^\n]*)\n(?<rule>\|[^\n]*)\n)(?<rows>(\|[^\n]*\n)*)", RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex Marker();

    [GeneratedRegex(@"T[\d-]+Z-(?<label>[\w-]+)")]
    private static partial Regex Label();
}
