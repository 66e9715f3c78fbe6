using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

public sealed class ResumeTests
{
    [Fact]
    public void The_block_that_was_cut_runs_again_with_numbers_above_all_that_were_used()
    {
        using var cut = new RecordedRun(rows: 3);

        var job = Make(cut);

        Assert.Equal([2, 2], job.Trials.Select(trial => trial.Block));
        Assert.Equal([3, 3], job.Trials.Select(trial => trial.Iteration));
        Assert.Equal([4, 5], job.Trials.Select(trial => trial.Order));
        Assert.Equal([2], job.Superseded);
        Assert.Equal(cut.Folder, job.Folder);
    }

    [Fact]
    public void A_last_line_that_was_cut_by_a_kill_does_not_hinder()
    {
        using var cut = new RecordedRun(rows: 2);
        File.AppendAllText(RecordFiles.Iterations(cut.Folder), "direct,1,2");

        Assert.Equal([2, 2], Make(cut).Trials.Select(trial => trial.Block));
    }

    [Fact]
    public void Gates_may_be_added()
    {
        using var cut = new RecordedRun(rows: 0);
        var request = new RunRequest { Changes = new ScenarioChanges { Gates = ["pubsub.loss == 0"] } };

        Assert.Equal(["direct.loss == 0", "pubsub.loss == 0"], Make(cut, request).Scenario.Gates);
    }

    [Fact]
    public async Task A_dry_run_lists_the_remaining_work_and_changes_nothing()
    {
        using var cut = new RecordedRun(rows: 3);
        var terminal = new TestTerminal();

        Assert.Equal(0, await terminal.RunAsync("run", "--resume", cut.Folder, "--dry-run"));

        Assert.Contains("; 2 in all", terminal.Output);
        Assert.False(RecordReader.Read(cut.Folder).Rows[^1].Superseded);
    }

    [Fact]
    public void A_run_with_its_clients_in_a_browser_is_resumed_with_them_in_one()
    {
        using var cut = new RecordedRun(rows: 2, request: new RunRequest { Client = ClientKind.Browser });

        Assert.Equal(2, Make(cut, new RunRequest { Client = ClientKind.Browser }).Trials.Count);
        Assert.Contains(
            "The run to resume had clients 'browser', and now it is 'own'", Assert.Throws<RefusalException>(() => Make(cut)).Message);
    }

    [Fact]
    public void A_complete_run_is_refused()
    {
        using var done = new RecordedRun(rows: 4, complete: true);

        Assert.Equal($"The run in {done.Folder} is complete: there is nothing to resume.", Refusal(done));
    }

    [Fact]
    public void A_refused_record_stays_as_it_is_to_the_last_byte()
    {
        using var other = new RecordedRun(rows: 2, change: run => run with { Machine = run.Machine with { Cpu = "another one" } });
        using var done = new RecordedRun(rows: 4, complete: true);
        foreach (var run in new[] { other, done })
        {
            var files = new[] { RecordFiles.Iterations(run.Folder), RecordFiles.Events(run.Folder), RecordFiles.Latency(run.Folder) };
            foreach (var file in files)
                File.AppendAllText(file, "cut");
            var before = files.Select(File.ReadAllText).ToArray();

            Assert.NotEmpty(Refusal(run));

            Assert.Equal(before, files.Select(File.ReadAllText));
        }
    }

    [Fact]
    public async Task A_dry_run_reads_a_cut_record_and_changes_nothing()
    {
        using var cut = new RecordedRun(rows: 2);
        await File.AppendAllTextAsync(RecordFiles.Iterations(cut.Folder), "direct,1,2");
        var terminal = new TestTerminal();

        Assert.Equal(0, await terminal.RunAsync("run", "--resume", cut.Folder, "--dry-run"));

        Assert.EndsWith("\ndirect,1,2", await File.ReadAllTextAsync(RecordFiles.Iterations(cut.Folder)));
    }

    [Fact]
    public void Another_programs_run_is_refused()
    {
        using var other = new RecordedRun(rows: 1, change: run => run with { Machine = run.Machine with { Commit = "0123456" } });

        Assert.StartsWith("The run to resume was made by commit 0123456", Refusal(other));
    }

    [Fact]
    public void Servers_that_were_already_there_must_be_named_again()
    {
        using var external = new RecordedRun(rows: 1, request: At("http://127.0.0.1:1"));

        Assert.EndsWith("give --direct, --pubsub and --reference again.", Refusal(external));
    }

    [Fact]
    public void Another_queue_than_the_run_had_is_refused()
    {
        using var elsewhere = new RecordedRun(
            rows: 1, request: new RunRequest { Queue = new EndpointTarget(new Uri("http://10.0.0.1:9324")) });

        Assert.StartsWith(
            "The run to resume had queue 'SQS at http://10.0.0.1:9324/', and now it is 'LocalSqs (in memory, a process of this run)': ",
            Refusal(elsewhere));
        Assert.StartsWith(
            "The run to resume had queue ",
            Refusal(elsewhere, new RunRequest { Queue = new EndpointTarget(new Uri("http://10.0.0.2:9324")) }));
        Assert.NotEmpty(Make(elsewhere, new RunRequest { Queue = new EndpointTarget(new Uri("http://10.0.0.1:9324")) }).Trials);
    }

    [Fact]
    public void Another_server_than_the_run_measured_is_refused()
    {
        using var external = new RecordedRun(rows: 1, request: At("http://127.0.0.1:1"));

        Assert.StartsWith(
            "The run to resume had --direct 'http://127.0.0.1:1/', and now it is 'http://127.0.0.1:2/': ",
            Refusal(external, At("http://127.0.0.1:2")));
    }

    [Fact]
    public void Another_machine_is_refused()
    {
        using var elsewhere = new RecordedRun(rows: 1, change: run => run with { Machine = run.Machine with { Cpu = "another one" } });

        Assert.Equal(
            $"The run to resume had processor 'another one', and now it is '{MachineDescription.Make().Cpu}': resume it on its own "
                + "machine with the addresses it was started with, or start a new run.",
            Refusal(elsewhere));
    }

    [Fact]
    public void The_finished_blocks_are_in_the_figures_of_the_resumed_run_and_the_cut_one_is_not()
    {
        using var cut = new RecordedRun(rows: 3);

        var scores = new Measurement(Make(cut), new FakeTime()).Scores;

        Assert.Equal([(Relays.Direct, 1), (Relays.PubSub, 1)], scores.Arms.Select(arm => (arm.Arm, arm.Iterations)));
    }

    [Fact]
    public async Task A_run_that_was_killed_after_its_last_row_gets_its_end_wherever_it_is_resumed()
    {
        var checks = new RunChecks(ClockMonotonic: false, QueueAlive: true);
        using var killed = new RecordedRun(rows: 4, change: run => run with
        {
            Checks = checks,
            SetUp = run.SetUp with { Pinned = [new PinnedProcess("load", "1")] },
            Machine = run.Machine with { Cpu = "another one" },
        });
        var job = Make(killed);

        await new Measurement(job, new FakeTime()).RunAsync(_ => { }, _ => Task.CompletedTask, CancellationToken.None);

        var whole = RecordReader.Read(killed.Folder);
        Assert.Equal((true, 1, checks), (whole.Run.Complete, whole.Run.Resumed, whole.Run.Checks));
        Assert.NotNull(whole.Run.Ended);
        Assert.Single(whole.Run.SetUp.Pinned);
        Assert.Equal(job.Order.Select(step => step.Iteration), RunPlan.For(RecordedRun.Scenario).Select(step => step.Iteration));
        Assert.Equal(4, whole.Rows.Count(row => row.Counts));
        Assert.Equal($"The run in {killed.Folder} is complete: there is nothing to resume.", Refusal(killed));
    }

    private static RunRequest At(string direct) => new() { Addresses = new Dictionary<string, Uri> { [Relays.Direct] = new Uri(direct) } };

    private static RunJob Make(RecordedRun run, RunRequest? request = null) =>
        RunJobs.Make((request ?? new RunRequest()) with { Resume = run.Folder }, "/", DateTimeOffset.UnixEpoch);

    private static string Refusal(RecordedRun run, RunRequest? request = null) =>
        Assert.Throws<RefusalException>(() => Make(run, request)).Message;
}
