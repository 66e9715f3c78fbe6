using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Tests.LoadTest.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class ReportCommandTests
{
    private readonly TestTerminal _terminal = new();

    [Fact]
    public async Task It_makes_the_report_and_holds_the_gates_of_the_run_and_its_own()
    {
        using var run = new RecordedRun(rows: 4, complete: true);

        Assert.Equal(0, await _terminal.RunAsync("report", run.Folder, "--gate", "pubsub.loss <= 1%"));

        Assert.True(File.Exists(Path.Combine(run.Folder, "report.md")));
        Assert.True(File.Exists(Path.Combine(run.Folder, "report.json")));
        Assert.Contains("gate       direct.loss == 0: passed, 0 of 2 messages lost", _terminal.Output);
        Assert.Contains("gate       pubsub.loss <= 1%: passed", _terminal.Output);
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
    public async Task A_gate_on_a_run_that_is_not_complete_fails_with_2()
    {
        using var run = new RecordedRun(rows: 2);

        Assert.Equal(2, await _terminal.RunAsync("report", run.Folder));

        Assert.Contains("(of a run that is not complete)", _terminal.Output);
    }

    [Fact]
    public async Task A_record_without_a_measured_iteration_ends_with_8()
    {
        using var run = new RecordedRun(rows: 0);

        Assert.Equal(8, await _terminal.RunAsync("report", run.Folder));
    }

    [Fact]
    public async Task A_record_that_is_cut_is_named_in_one_sentence()
    {
        using var run = new RecordedRun(rows: 2);
        await File.AppendAllTextAsync(RecordFiles.Iterations(run.Folder), "direct,1,2");

        Assert.Equal(5, await _terminal.RunAsync("report", run.Folder));

        Assert.Matches(@"^iterations\.csv is cut or damaged in line 4: .+\.\n?$", _terminal.Error);
    }
}
