using System.Text.Json.Nodes;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>A committed record whose run.json lacks a key, or whose report is not what the record gives.</summary>
public sealed class TamperedReportTests : TamperedCopy
{
    [Theory]
    [InlineData("checks", "run.json has no checks")]
    [InlineData("checks.serversAlive", "run.json, checks has no serversAlive")]
    [InlineData("checks.clockMonotonic", "run.json, checks has no clockMonotonic")]
    [InlineData("checks.queueAlive", "run.json, checks has no queueAlive")]
    [InlineData("resumed", "run.json has no resumed")]
    [InlineData("setUp.pinned", "run.json, setUp has no pinned")]
    [InlineData("scenario.gates", "run.json, scenario has no gates")]
    public async Task What_run_json_does_not_say_is_not_taken_for_good(string key, string sentence)
    {
        CommittedRuns.Copy(CommittedRuns.Burst, Folder);
        File.Delete(Path.Combine(Folder, Checksums.FileName));
        Run(run => key.Split('.')[..^1].Aggregate(run, (node, name) => node[name]!).AsObject().Remove(key.Split('.')[^1]));

        foreach (var command in new[] { "report", "validate" })
        {
            var terminal = new TestTerminal();
            Assert.Equal(5, await terminal.RunAsync(command, Folder));
            Assert.StartsWith(sentence, terminal.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Checks_that_say_nothing_are_refused()
    {
        CommittedRuns.Copy(CommittedRuns.Burst, Folder);
        File.Delete(Path.Combine(Folder, Checksums.FileName));
        Run(run => run["checks"] = new JsonObject());

        await AssertRefusedAsync("run.json, checks has no clockMonotonic");
    }

    [Theory]
    [InlineData("report.md")]
    [InlineData("report.html")]
    [InlineData("report.csv")]
    [InlineData("report.json")]
    public async Task A_report_that_its_record_does_not_give_is_named(string file)
    {
        using var run = new RecordedRun(rows: 4, complete: true);
        Assert.Equal(0, await new TestTerminal().RunAsync("report", run.Folder));
        var path = Path.Combine(run.Folder, file);
        var text = await File.ReadAllTextAsync(path);
        await File.WriteAllTextAsync(path, text.Replace("pubsub", "pubsob", StringComparison.Ordinal));

        await AssertRefusedAsync($"^{file}: not what this program makes of the record.* make it again with report ", run.Folder);

        await File.WriteAllTextAsync(path, text);
        var terminal = new TestTerminal();
        Assert.Equal(0, await terminal.RunAsync("validate", run.Folder));
        Assert.Matches("reports    4 files are what this program makes of the record", terminal.Output);
    }

    [Fact]
    public async Task A_report_of_another_version_is_not_compared_and_that_is_said()
    {
        using var run = new RecordedRun(rows: 4, complete: true);
        Assert.Equal(0, await new TestTerminal().RunAsync("report", run.Folder));
        var path = Path.Combine(run.Folder, "report.json");
        await File.WriteAllTextAsync(
            path, (await File.ReadAllTextAsync(path)).Replace("\"report\": 3", "\"report\": 1", StringComparison.Ordinal));
        var terminal = new TestTerminal();

        Assert.Equal(0, await terminal.RunAsync("validate", run.Folder));
        Assert.Contains(
            "reports    not compared: report.json is of version 1, and this program writes version 3", terminal.Output,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_without_a_report_is_said_to_have_none()
    {
        CommittedRuns.Copy(CommittedRuns.Burst, Folder);
        File.Delete(Path.Combine(Folder, "report.md"));
        var terminal = new TestTerminal();

        Assert.Equal(0, await terminal.RunAsync("validate", Folder));
        Assert.Contains("reports    none: ", terminal.Output, StringComparison.Ordinal);
    }
}
