using System.Text.RegularExpressions;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Claims;

namespace PubSubOverWs.Tests.Repository;

/// <summary>The runs under <c>results/</c> that <c>docs/results.md</c> speaks of.</summary>
public sealed partial class CommittedRunTests
{
    public static TheoryData<string> Folders => [.. CommittedRuns.Folders];

    [Theory]
    [MemberData(nameof(Folders))]
    public void A_committed_run_is_complete_and_valid(string folder)
    {
        var record = RecordReader.Read(Path.Combine(SourceTree.Root, folder));
        Assert.True(record.Run.Complete);
        Assert.DoesNotContain(Validity.Check(record), check => check.Holds == false);
    }

    [Theory]
    [MemberData(nameof(Folders))]
    public void The_report_of_a_committed_run_is_current(string folder) =>
        Assert.Equal(SourceTree.Read($"{folder}/report.md"), ReportFolder.Make(Path.Combine(SourceTree.Root, folder)).Markdown);

    [Fact]
    public void The_tables_of_the_results_page_agree_with_the_reports()
    {
        var page = SourceTree.Lines("docs/results.md");
        var runs = RunLink().Matches(SourceTree.Read("docs/results.md")).Select(match => match.Groups["folder"].Value).Distinct().ToArray();
        Assert.NotEmpty(runs);
        var reported = runs.SelectMany(folder => Rows(SourceTree.Lines($"{folder}/report.md"))).ToLookup(row => row.Key, row => row.Cell);
        var shown = Rows(page).ToArray();
        Assert.NotEmpty(shown);
        Assert.All(shown, row => Assert.Contains(row.Cell, reported[row.Key]));
    }

    /// <summary>Each cell is one of a row of a report of the same section, and that row begins with the same cell.</summary>
    [Fact]
    public void The_tables_on_the_other_experiments_agree_with_the_reports()
    {
        var sections = SourceTree.Read("docs/results.md").Split("\n## ")
            .Select(text => (Text: text, Folders: OtherRunLink().Matches(text).Select(match => match.Groups["folder"].Value).Distinct()))
            .Where(section => section.Folders.Any()).ToArray();
        Assert.NotEmpty(sections);
        Assert.All(sections, section =>
        {
            var reported = section.Folders.SelectMany(folder => Cells(SourceTree.Read($"{folder}/report.md")))
                .SelectMany(cells => cells, (cells, cell) => (Key: cells[0], Cell: cell)).ToLookup(row => row.Key, row => row.Cell);
            var shown = Cells(section.Text).ToArray();
            Assert.NotEmpty(shown);
            Assert.All(shown, cells => Assert.All(cells, cell => Assert.Contains(cell, reported[cells[0]])));
        });
    }

    [Fact]
    public void The_figure_of_the_readme_is_that_of_the_report()
    {
        var figure = SourceTree.Read("docs/figures/latency-ratio.svg");
        var drawn = Drawing().Match(figure).Groups["drawn"].Value;
        var run = RunLink().Match(SourceTree.Read("docs/results.md")).Groups["folder"].Value;

        Assert.NotEmpty(drawn);
        Assert.Contains(drawn, ReportFolder.Make(Path.Combine(SourceTree.Root, run)).Html, StringComparison.Ordinal);
        Assert.Contains("(docs/figures/latency-ratio.svg)", SourceTree.Read("README.md"), StringComparison.Ordinal);
    }

    /// <summary>The cells of the paper's tables, each with its table's numeral and its number of users.</summary>
    private static IEnumerable<(string Key, string Cell)> Rows(IEnumerable<string> lines)
    {
        var table = "";
        foreach (var line in lines)
        {
            if (line.StartsWith('#'))
                table = TableHeading().Match(line).Groups["numeral"].Value;
            if (table.Length == 0 || !UsersRow().IsMatch(line))
                continue;
            var cells = line.Trim('|').Split('|', StringSplitOptions.TrimEntries);
            foreach (var cell in cells[1..])
                yield return ($"{table} {cells[0]}", cell);
        }
    }

    /// <summary>The rows of all tables but their headings.</summary>
    private static IEnumerable<string[]> Cells(string text)
    {
        var lines = text.Split('\n');
        return lines
            .Where((line, i) => line.StartsWith("| ", StringComparison.Ordinal)
                && !IsRule(line) && !IsRule(lines.ElementAtOrDefault(i + 1)))
            .Select(line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries));
    }

    private static bool IsRule(string? line) => line?.StartsWith("| ---", StringComparison.Ordinal) == true;

    [GeneratedRegex(
        @"\(\.\./(?<folder>results/(?:transports|request-reply|stream-interference|idle-connections)[\w-]*/[\w.-]+)/report\.md\)")]
    private static partial Regex OtherRunLink();

    [GeneratedRegex(@"\(\.\./(?<folder>results/paper/[\w.-]+)/report\.md\)")]
    private static partial Regex RunLink();

    [GeneratedRegex("<title id=\"ratio-drawing-title\">(?<drawn>.*)</svg>", RegexOptions.Singleline)]
    private static partial Regex Drawing();

    [GeneratedRegex(@"^#+ Table (?<numeral>[IV]+)[. ]")]
    private static partial Regex TableHeading();

    [GeneratedRegex(@"^\| \d+ \|")]
    private static partial Regex UsersRow();
}
