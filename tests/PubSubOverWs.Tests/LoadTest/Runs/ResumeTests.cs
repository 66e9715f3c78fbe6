using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Runs;
using PubSubOverWs.Tests.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Runs;

public sealed class ResumeTests
{
    [Fact]
    public void The_block_that_was_cut_runs_again_with_numbers_above_all_that_were_used()
    {
        using var cut = new RecordedRun(rows: 3);

        var job = RunJobs.Make(new RunRequest { Resume = cut.Folder }, "/", DateTimeOffset.UnixEpoch);

        Assert.Equal([2, 2], job.Turns.Select(turn => turn.Block));
        Assert.Equal([3, 3], job.Turns.Select(turn => turn.Iteration));
        Assert.Equal([4, 5], job.Turns.Select(turn => turn.Order));
        Assert.Equal([2], job.Superseded);
        Assert.Equal(cut.Folder, job.Folder);
    }

    [Fact]
    public void A_last_line_that_was_cut_by_a_kill_does_not_hinder()
    {
        using var cut = new RecordedRun(rows: 2);
        File.AppendAllText(RecordFiles.Iterations(cut.Folder), "direct,1,2");

        Assert.Equal([2, 2], RunJobs.Make(new RunRequest { Resume = cut.Folder }, "/", DateTimeOffset.UnixEpoch).Turns.Select(turn => turn.Block));
    }

    [Fact]
    public void Gates_may_be_added()
    {
        using var cut = new RecordedRun(rows: 0);
        var request = new RunRequest { Resume = cut.Folder, Changes = new ScenarioChanges { Gates = ["pubsub.loss == 0"] } };

        Assert.Equal(["direct.loss == 0", "pubsub.loss == 0"], RunJobs.Make(request, "/", DateTimeOffset.UnixEpoch).Scenario.Gates);
    }

    [Fact]
    public async Task A_dry_run_tells_what_is_left_and_changes_nothing()
    {
        using var cut = new RecordedRun(rows: 3);
        var terminal = new TestTerminal();

        Assert.Equal(0, await terminal.RunAsync("run", "--resume", cut.Folder, "--dry-run"));

        Assert.Contains("; 2 in all", terminal.Output);
        Assert.False(RecordReader.Read(cut.Folder).Rows[^1].Superseded);
    }

    [Fact]
    public void A_complete_run_is_refused()
    {
        using var done = new RecordedRun(rows: 4, complete: true);

        Assert.Equal($"The run in {done.Folder} is complete: there is nothing to resume.", Refusal(done));
    }

    [Fact]
    public void Another_programs_run_is_refused()
    {
        using var other = new RecordedRun(rows: 1, commit: "0123456");

        Assert.StartsWith("The run to resume was made by commit 0123456", Refusal(other));
    }

    [Fact]
    public void Servers_that_were_already_there_must_be_named_again()
    {
        using var external = new RecordedRun(rows: 1, ownServers: false);

        Assert.EndsWith("give --direct and --pubsub again.", Refusal(external));
    }

    private static string Refusal(RecordedRun run) =>
        Assert.Throws<RefusalException>(() => RunJobs.Make(new RunRequest { Resume = run.Folder }, "/", DateTimeOffset.UnixEpoch)).Message;
}
