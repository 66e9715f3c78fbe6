using System.Text.RegularExpressions;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report;

namespace PubSubOverWs.Tests.Repository;

/// <summary>A row of a table of a report: its cells by the names of their columns.</summary>
/// <param name="Table">The table that it is of, counted from 0 within the section.</param>
internal sealed record ReportRow(int Table, IReadOnlyDictionary<string, string> Cells)
{
    /// <param name="column">The name of a column, or the beginning of one.</param>
    public string? Cell(string column) => Cells.TryGetValue(column, out var exact)
        ? exact
        : Cells.FirstOrDefault(cell => column.Length > 0 && cell.Key.StartsWith(column, StringComparison.Ordinal)).Value;
}

/// <summary>Tables of the committed <c>report.md</c> of a record.</summary>
internal static partial class ReportTables
{
    /// <summary>All rows below a heading, of however many tables.</summary>
    /// <param name="folder">The record's, from the root.</param>
    /// <param name="heading">The text of a heading, or the beginning of it.</param>
    public static IReadOnlyList<ReportRow> Read(string folder, string heading)
    {
        var report = SourceTree.Read($"{folder}/report.md");
        return Read($"{folder}/report.md", report, heading, Told(folder, report));
    }

    /// <summary>The same of what <c>report --together</c> says of several records.</summary>
    public static IReadOnlyList<ReportRow> ReadTogether(IReadOnlyList<string> folders, string heading) => Read(
        "report --together",
        RunsTogether.Write([.. folders.Select(folder => (folder, RecordReader.Read(Path.Combine(SourceTree.Root, folder))))]),
        heading,
        []);

    private static List<ReportRow> Read(string name, string report, string heading, Dictionary<string, string> told)
    {
        var section = report.Split('\n').SkipWhile(line => !line.TrimStart('#', ' ').StartsWith(heading, StringComparison.Ordinal)
            || !line.StartsWith('#')).Skip(1).TakeWhile(line => !line.StartsWith('#')).ToArray();
        Assert.True(section.Length > 0, $"{name} has no heading {heading}");
        var rows = new List<ReportRow>();
        for (var (at, table) = (0, 0); at < section.Length; at++)
        {
            if (!section[at].StartsWith('|'))
                continue;
            var columns = Split(section[at]);
            for (at += 2; at < section.Length && section[at].StartsWith('|'); at++)
            {
                var cells = new Dictionary<string, string>(told);
                foreach (var (column, cell) in columns.Zip(Split(section[at])))
                    cells.TryAdd(column, Term().Replace(cell, "${word}"));
                rows.Add(new ReportRow(table, cells));
            }

            table++;
        }

        return rows;
    }

    public static string[] Split(string row) => row.Trim()[1..^1].Split('|', StringSplitOptions.TrimEntries);

    // What a report under a fault says in a sentence, as cells of each of its rows.
    private static Dictionary<string, string> Told(string folder, string report)
    {
        if (Outcome().Match(report) is not { Success: true } found)
            return [];
        var judged = found.Groups["judged"].Value;
        return new()
        {
            ["what breaks"] = $"[{found.Groups["fault"].Value}]({folder}/report.md)",
            ["prediction"] = found.Groups["prediction"].Value,
            ["p"] = P().Match(judged) is { Success: true } p ? p.Groups["p"].Value : "–",
            ["H1b"] = judged.StartsWith("holds", StringComparison.Ordinal) ? "holds"
                : judged.Contains("alike", StringComparison.Ordinal) ? "alike"
                : judged.StartsWith("is not testable", StringComparison.Ordinal) ? "not testable" : "not shown",
        };
    }

    [GeneratedRegex(@"\[(?<word>[^\]]*)\]\(#[^)]*\)")]
    private static partial Regex Term();

    [GeneratedRegex(@"^# faults \((?<fault>[\w-]+)\).*^- At [^:]*: \*\*(?<prediction>[^:*]+).*?\*\*\. H1b \([^)]*\) (?<judged>[^\n]*)",
        RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Outcome();

    [GeneratedRegex(@"\bp = (?<p>[\d.]+)")]
    private static partial Regex P();
}
