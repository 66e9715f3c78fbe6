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
    public void A_committed_run_is_complete_and_valid_has_sums_and_its_report_is_current(string folder)
    {
        var path = Path.Combine(SourceTree.Root, folder);
        var record = RecordReader.Read(path);

        Assert.True(record.Run.Complete);
        Assert.DoesNotContain(Validity.Check(record), check => check.Holds == false);
        CrossChecks.Check(record);
        Assert.True(Checksums.AreIn(path));
        Checksums.CheckAll(path);
        Assert.Equal(SourceTree.Read($"{folder}/report.md"), ReportFolder.Make(record).Markdown);
    }

    [Fact]
    public void The_figure_of_the_readme_is_that_of_the_report()
    {
        var figure = SourceTree.Read("docs/figures/latency-ratio.svg");
        var drawn = Drawing().Match(figure).Groups["drawn"].Value;
        var run = RunLink().Match(SourceTree.Read("docs/results.md")).Groups["folder"].Value;

        Assert.NotEmpty(drawn);
        Assert.Contains(drawn, ReportFolder.Make(RecordReader.Read(Path.Combine(SourceTree.Root, run))).Html, StringComparison.Ordinal);
        Assert.Contains("(docs/figures/latency-ratio.svg)", SourceTree.Read("README.md"), StringComparison.Ordinal);
    }

    [GeneratedRegex(@"\(\.\./(?<folder>results/paper/[\w.-]+)/report\.md\)")]
    private static partial Regex RunLink();

    [GeneratedRegex("<title id=\"ratio-drawing-title\">(?<drawn>.*)</svg>", RegexOptions.Singleline)]
    private static partial Regex Drawing();
}
