using System.Text.RegularExpressions;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Tests.Record;

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

/// <summary>
/// The committed runs that tests take as material. A label is enough while one run has it; where there are more, the folder is named here.
/// </summary>
internal static class CommittedRuns
{
    /// <summary>The folders of all, from the root, with slashes: by experiment, and then by time.</summary>
    public static IEnumerable<string> Folders =>
        Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "results"), "run.json", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(SourceTree.Root, Path.GetDirectoryName(path)!).Replace('\\', '/'))
            .Order(StringComparer.Ordinal);

    public const string Burst = "results/paper/2026-11-29T18-13-39Z-burst";

    /// <summary>Copies all files of a committed run.</summary>
    /// <param name="name">A folder, as above, or a label that exactly one run has.</param>
    /// <param name="to">An empty folder.</param>
    public static void Copy(string name, string to)
    {
        var named = Folders.Single(folder => folder == name || folder.EndsWith($"-{name}", StringComparison.Ordinal));
        TemporaryFolder.Copy(Path.Combine(SourceTree.Root, named), to);
    }
}
