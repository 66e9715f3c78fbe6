using System.Diagnostics;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Claims;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Collection(nameof(Machine))]
public sealed class InterruptionTests : IDisposable
{
    private static readonly string[] Small = ["run", "smoke", "--users", "5,10", "--iterations", "4", "--blocks", "2", "--out", "record"];

    // Then the second level of the first block is under way.
    private const string FirstLevelDone = "8/32 ";

    private readonly TestFolder _folder = new();

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task Ctrl_C_keeps_the_record_and_leaves_no_process_and_resume_completes_the_run()
    {
        using (var run = LoadTestProcess.StartInterruptible(_folder.Path, Small))
        {
            await run.UntilLineAsync(FirstLevelDone);
            await run.InterruptAsync();
            await run.InterruptAsync(); // An impatient user.
            var end = await run.EndAsync();

            Assert.True(end.ExitCode == 3, end.Output + end.Error);
            Assert.Contains("To continue: pubsub-over-ws run --resume ", end.Error);
            Assert.Contains("report.html (of a run that is not complete)", end.Output);
            Assert.True(File.Exists(Path.Combine(_folder.Record, "report.html")));
        }

        var cut = RecordReader.Read(_folder.Record);
        Assert.False(cut.Run.Complete);
        Assert.InRange(cut.Rows.Count, 8, 31); // Of 32: how soon the signal is heard is the system's.
        Assert.Empty(_folder.ProcessesLeft());
        Assert.Contains(cut.Events, one => one.Kind == "queue-deleted");

        var resumed = await LoadTestProcess.RunAsync(_folder.Path, "run", "--resume", "record");

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Error);
        var whole = RecordReader.Read(_folder.Record);
        Assert.True(whole.Run.Complete);
        Assert.Equal(1, whole.Run.Resumed);
        Assert.Equal(cut.Rows.Select(row => row with { Superseded = true }), whole.Rows.Take(cut.Rows.Count));
        Assert.All(whole.Run.Scenario.Arms,
            arm => Assert.All(whole.Run.Scenario.Levels, users => Assert.Equal(4, ArmLevel.From(whole, arm.Name, users).Rows.Count)));
        Assert.True(Validity.IsValid(whole));
        Assert.Empty(_folder.ProcessesLeft());
    }

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task A_killed_run_leaves_no_process_and_can_be_resumed()
    {
        int[] processes;
        using (var run = LoadTestProcess.Start(_folder.Path, Small))
        {
            await run.UntilLineAsync(FirstLevelDone);
            processes = [.. _folder.ProcessesLeft()];
            await run.KillAsync();
        }

        Assert.NotEmpty(processes);
        await Task.WhenAll(processes.Select(EndedAsync));

        var resumed = await LoadTestProcess.RunAsync(_folder.Path, "run", "--resume", "record");

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Error);
        Assert.True(RecordReader.Read(_folder.Record).Run.Complete);
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task A_run_that_was_killed_after_its_last_row_is_ended_by_resume_which_starts_nothing()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--users", "5", "--out", "record");
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        var whole = RecordReader.Read(_folder.Record);
        var (json, report) = (RecordFiles.Run(_folder.Record), Path.Combine(_folder.Record, "report.md"));
        await File.WriteAllTextAsync(
            json, (await File.ReadAllTextAsync(json)).Replace("\"complete\": true", "\"complete\": false", StringComparison.Ordinal));
        File.Delete(report);
        // Written when a run ends, and by nothing before.
        File.Delete(Path.Combine(_folder.Record, Checksums.FileName));

        var resumed = await LoadTestProcess.RunAsync(_folder.Path, "run", "--resume", "record");

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Error);
        Assert.Contains("pubsub.loss == 0: passed", resumed.Output);
        Assert.True(File.Exists(report));
        var ended = RecordReader.Read(_folder.Record);
        Assert.True(ended.Run.Complete);
        Assert.Equal(whole.Rows, ended.Rows);
        Assert.Equal(whole.Events, ended.Events);
    }

    public void Dispose() => _folder.Dispose();

    private static async Task EndedAsync(int processId)
    {
        try
        {
            using var process = Process.GetProcessById(processId);
            await process.WaitForExitAsync();
        }
        catch (ArgumentException)
        {
            // It is gone already.
        }
    }
}
