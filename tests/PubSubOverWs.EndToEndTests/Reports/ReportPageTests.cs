using System.Globalization;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.Experiment.Latency;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.EndToEndTests.Reports;

public sealed class ReportPageTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("report-page-").FullName;

    private static RunFolder Committed { get; } = RecordReader.Read(Path.Combine(NodeProject.Folder, "../../../results/paper/2026-11-21T20-07-04Z-burst"));

    [BrowserFact]
    public Task The_page_of_a_committed_run_is_drawn_at_both_widths_asks_for_nothing_and_logs_no_error() => AssertDrawnAsync(Committed);

    [BrowserFact]
    public Task So_is_that_of_a_run_with_the_distributions_of_its_iterations() =>
        AssertDrawnAsync(Committed with { Latency = Committed.Rows.Where(row => !row.WarmUp).ToDictionary(row => (row.Arm, row.Iteration), Distributed) });

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task AssertDrawnAsync(RunFolder record)
    {
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

    // Made up: as many as were delivered, around the mean that was measured, with a long tail.
    private static Distribution Distributed(IterationRow row)
    {
        var histogram = new LatencyHistogram();
        for (var i = 1; i <= row.FromSent.Count; i++)
            histogram.TryRecord(TimeSpan.FromMicroseconds(row.FromSent.Mean!.Value * (0.9 + (2.0 / i))));
        return Distribution.Of(histogram);
    }

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
