using System.Globalization;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.EndToEndTests.Reports;

public sealed class ReportPageTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("report-page-").FullName;

    [BrowserFact]
    public async Task The_page_of_a_committed_run_is_drawn_at_both_widths_asks_for_nothing_and_logs_no_error()
    {
        var record = RecordReader.Read(Path.Combine(NodeProject.Folder, "../../../results/paper/2026-11-22T03-19-06Z-burst"));
        var page = Path.Combine(_folder, "report.html");
        await File.WriteAllTextAsync(page, Report.Make(record).Html);

        await NodeProject.TestAsync(
            "report.test.mjs",
            ("CHROMIUM", Browser.Program!),
            ("PAGE", new Uri(page).AbsoluteUri),
            ("PROFILES", _folder),
            ("LEVELS", Text(record.Run.Scenario.Users.Count)),
            ("ITERATIONS", Text(record.Rows.Count(row => row.Counts && row.Arm != Arms.Floor))),
            ("ROWS", Text(record.Rows.Count(row => !row.Superseded))),
            ("EVENTS", Text(record.Events.Count)));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
