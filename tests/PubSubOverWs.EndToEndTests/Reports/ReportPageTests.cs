using System.Globalization;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;

namespace PubSubOverWs.EndToEndTests.Reports;

[Collection(nameof(Machine))]
public sealed class ReportPageTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("report-page-").FullName;

    [BrowserFact]
    public Task The_page_of_a_committed_run_is_drawn_at_both_widths_asks_for_nothing_and_logs_no_error() =>
        AssertDrawnAsync(Committed("2026-11-22T03-19-06Z-burst"));

    [BrowserFact]
    [Trait("Category", "Long")]
    public Task The_page_of_an_AA_run_is_drawn_at_both_widths() => AssertDrawnAsync(Committed("2026-11-22T03-07-10Z-aa-pubsub"));

    [BrowserFact]
    [Trait("Category", "Long")]
    public Task The_page_of_a_run_whose_record_is_older_than_its_distributions_is_drawn_at_both_widths() =>
        AssertDrawnAsync(RecordReader.Read(WithoutDistributions("2026-11-22T03-19-06Z-burst")));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task AssertDrawnAsync(RunFolder record)
    {
        var page = Path.Combine(_folder, "report.html");
        await File.WriteAllTextAsync(page, ReportFolder.Make(record).Html);

        await NodeProject.TestAsync(
            "report.test.mjs",
            ("CHROMIUM", Browser.Program!),
            ("PAGE", new Uri(page).AbsoluteUri),
            ("LEVELS", Text(record.Run.Scenario.Levels.Count)),
            ("ITERATIONS", Text(record.Rows.Count(row => row.Counts && row.Arm != Arm.Floor.Name))),
            ("ROWS", Text(record.Rows.Count(row => !row.Superseded))),
            ("EVENTS", Text(record.Events.Count)));
    }

    private static RunFolder Committed(string name) => RecordReader.Read(PathOf(name));

    private static string PathOf(string name) => Path.Combine(NodeProject.Folder, "../../../results/paper", name);

    /// <summary>
    /// A copy of the record as it was before distributions were kept: its files without <c>latency/</c>, and without the sums, which are
    /// younger and name it.
    /// </summary>
    private string WithoutDistributions(string name)
    {
        var copy = Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;
        foreach (var file in Directory.EnumerateFiles(PathOf(name)).Where(file => Path.GetFileName(file) != Checksums.FileName))
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        return copy;
    }

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
