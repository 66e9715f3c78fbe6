using System.Globalization;
using System.Xml.Linq;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class ReportCommandTests
{
    private readonly TestTerminal _terminal = new();

    [Fact]
    public async Task The_command_makes_the_report_and_checks_the_gates_of_the_run_and_its_own()
    {
        using var run = new RecordedRun(rows: 4, complete: true);

        Assert.Equal(0, await _terminal.RunAsync("report", run.Folder, "--gate", "pubsub.loss <= 1%"));

        Assert.True(File.Exists(Path.Combine(run.Folder, "report.md")));
        Assert.True(File.Exists(Path.Combine(run.Folder, "report.json")));
        Assert.Contains("gate       direct.loss == 0: passed, 0 of 2 messages lost", _terminal.Output);
        Assert.Contains("gate       pubsub.loss <= 1%: passed", _terminal.Output);
    }

    [Fact]
    public async Task Reports_of_several_records_are_made_and_a_document_is_of_one()
    {
        using var one = new RecordedRun(rows: 4, complete: true);
        using var cut = new RecordedRun(rows: 1);

        Assert.Equal(2, await _terminal.RunAsync("report", cut.Folder, one.Folder));
        Assert.True(File.Exists(Path.Combine(cut.Folder, "report.md")));
        Assert.True(File.Exists(Path.Combine(one.Folder, "report.md")));
        Assert.Equal(5, await _terminal.RunAsync("report", cut.Folder, one.Folder, "--json"));
        Assert.Contains("--json and --junit are of one record: name one folder", _terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Runs_that_are_no_draws_of_one_result_are_not_shown_together()
    {
        using var one = new RecordedRun(rows: 4, complete: true);

        Assert.Equal(5, await _terminal.RunAsync("report", "--together", one.Folder, one.Folder, "--gate", "pubsub.loss == 0"));
        Assert.Contains("--together shows runs and judges none", _terminal.Error, StringComparison.Ordinal);
        Assert.NotEqual(0, await _terminal.RunAsync("report", "--together", one.Folder, one.Folder));
        Assert.Contains("--together needs 3 runs or more, and 2 were named", _terminal.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(one.Folder, "report.md")));
    }

    [Fact]
    public async Task The_gates_go_to_a_JUnit_file_and_on_GitHub_to_the_summary_and_the_annotations()
    {
        using var run = new RecordedRun(rows: 4, complete: true);
        var (junit, summary) = (Path.Combine(run.Folder, "gates.xml"), Path.Combine(run.Folder, "summary.md"));
        _terminal.Variables["GITHUB_ACTIONS"] = "true";
        _terminal.Variables["GITHUB_STEP_SUMMARY"] = summary;

        Assert.Equal(
            2,
            await _terminal.RunAsync(
                "report", run.Folder, "--junit", junit, "--gate", "pubsub.duplicates > 0", "--gate", "warn: direct.duplicates > 0"));

        var suite = XDocument.Load(junit).Root!.Element("testsuite")!;
        var cases = suite.Elements("testcase")
            .ToDictionary(one => one.Attribute("name")!.Value, one => one.Element("failure")?.Attribute("message")?.Value);
        Assert.Equal(cases.Count, int.Parse(suite.Attribute("tests")!.Value, CultureInfo.InvariantCulture));
        Assert.Equal("1", suite.Attribute("failures")!.Value);
        Assert.StartsWith("pubsub.duplicates > 0: failed, 0 at ", cases["pubsub.duplicates > 0"], StringComparison.Ordinal);
        Assert.Null(cases["warn: direct.duplicates > 0"]);
        Assert.Null(cases["the run is valid"]);
        var markdown = await File.ReadAllTextAsync(summary);
        Assert.Contains("| **failed** | `pubsub.duplicates > 0` | failed, 0 at ", markdown, StringComparison.Ordinal);
        Assert.Contains("| warning | `warn: direct.duplicates > 0` | warning, 0 at ", markdown, StringComparison.Ordinal);
        Assert.Contains("::error title=Gate::pubsub.duplicates > 0: failed", _terminal.Output, StringComparison.Ordinal);
        Assert.Contains("::warning title=Gate::warn: direct.duplicates > 0: warning", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_gate_that_cannot_be_read_is_refused_before_noise_is_written()
    {
        using var run = new RecordedRun(rows: 4, complete: true);
        using var itself = new RecordedRun(rows: 4, complete: true);

        Assert.Equal(5, await _terminal.RunAsync("report", run.Folder, "--noise", itself.Folder, "--gate", "nonsense"));

        Assert.StartsWith("The gate 'nonsense' cannot be read", _terminal.Error);
        Assert.False(File.Exists(Path.Combine(run.Folder, "noise.json")));
    }

    [Fact]
    public async Task A_run_that_is_not_an_AA_run_is_refused_as_a_source_of_noise_and_nothing_is_written()
    {
        using var run = new RecordedRun(rows: 4, complete: true);

        Assert.Equal(5, await _terminal.RunAsync("report", run.Folder, "--noise", run.Folder));

        Assert.Contains(" is no A/A run: make one with run tiny --aa direct.", _terminal.Error);
        Assert.False(File.Exists(Path.Combine(run.Folder, "noise.json")) || File.Exists(Path.Combine(run.Folder, "report.md")));
    }

    [Fact]
    public async Task A_JUnit_file_that_cannot_be_written_is_refused_and_the_report_is_made()
    {
        using var run = new RecordedRun(rows: 4, complete: true);

        Assert.Equal(5, await _terminal.RunAsync("report", run.Folder, "--junit", Path.Combine(run.Folder, "no", "gates.xml")));

        Assert.StartsWith("--junit '", _terminal.Error);
        Assert.True(File.Exists(Path.Combine(run.Folder, "report.md")));
    }

    [Fact]
    public async Task The_same_folder_gives_the_same_bytes()
    {
        using var run = new RecordedRun(rows: 4, complete: true);
        await _terminal.RunAsync("report", run.Folder);
        var first = await File.ReadAllBytesAsync(Path.Combine(run.Folder, "report.md"));

        await _terminal.RunAsync("report", run.Folder);

        Assert.Equal(first, await File.ReadAllBytesAsync(Path.Combine(run.Folder, "report.md")));
    }

    [Fact]
    public async Task A_record_without_a_measured_iteration_ends_with_8()
    {
        using var run = new RecordedRun(rows: 0);

        Assert.Equal(8, await _terminal.RunAsync("report", run.Folder));
    }
}
