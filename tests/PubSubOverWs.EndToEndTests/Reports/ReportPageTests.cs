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

    [FactNeeds(Needed.Browser)]
    public Task The_page_of_a_committed_run_is_drawn_at_both_widths_asks_for_nothing_and_logs_no_error() =>
        AssertDrawnAsync(Newest("burst"));

    [FactNeeds(Needed.Browser)]
    [Trait("Category", "Long")]
    public Task The_page_of_an_AA_run_is_drawn_at_both_widths() => AssertDrawnAsync(Newest("aa-pubsub"));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task AssertDrawnAsync(RunFolder record)
    {
        var page = Path.Combine(_folder, "report.html");
        await File.WriteAllTextAsync(page, ReportFolder.Make(record).Html);

        await NodeProject.TestAsync(
            "report.test.mjs",
            ("CHROMIUM", Needs.Browser),
            ("PAGE", new Uri(page).AbsoluteUri),
            ("ARMS", Text(record.Run.Scenario.ShownArms.Count)),
            ("LEVELS", Text(record.Run.Scenario.Levels.Count)),
            ("ITERATIONS", Text(record.Rows.Count(row => row.Counts && row.Arm != Arm.Floor.Name))),
            ("ROWS", Text(record.Rows.Count(row => !row.Superseded))),
            ("EVENTS", Text(record.Events.Count)));
    }

    private static RunFolder Newest(string label) =>
        RecordReader.Read(Directory.GetDirectories(Path.Combine(NodeProject.Folder, "../../../results/paper"), $"*Z-{label}").Max()!);

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
