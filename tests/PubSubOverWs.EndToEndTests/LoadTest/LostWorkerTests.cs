using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs that lose one of their load processes while it sends.</summary>
public sealed partial class LostWorkerTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [FactNeeds(Needed.Linux)]
    public async Task A_load_process_that_is_killed_while_it_sends_ends_the_run_which_names_it_and_leaves_no_process()
    {
        var end = await RunAsync(() =>
        {
            using var process = Process.GetProcessById(_folder.ProcessOf("load-2"));
            process.Kill();
            return Task.CompletedTask;
        });

        Assert.True(end.ExitCode == 10, end.Output + end.Error);
        Assert.Equal(
            "Load process 2 of 2 ended unexpectedly with exit code 137 before it had answered 'begin', so the iteration does not count and "
                + "the run ends.",
            end.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.False(record.Run.Complete);
        Assert.Equal(100, Assert.Single(record.Rows).Level.Rate);
        Assert.Contains(record.Events, one => one is { Kind: "stopped", Target: "load-2", Detail: "exit code 137" });
        Assert.Empty(_folder.ProcessesLeft());
    }

    [UnsupportedOSPlatform("windows")]
    [FactNeeds(Needed.Linux)]
    public async Task A_load_process_that_a_signal_stops_while_it_sends_ends_the_run_which_names_it()
    {
        var end = await RunAsync(() => VoidRun.PauseAsync(_folder.ProcessOf("load-2")));

        Assert.True(end.ExitCode == 10, end.Output + end.Error);
        Assert.StartsWith("A signal stopped the load-2 process for some time, in which it did nothing. So direct at 200 ", end.Error);
        Assert.Equal(100, Assert.Single(RecordReader.Read(_folder.Record).Rows).Level.Rate);
    }

    public void Dispose() => _folder.Dispose();

    /// <param name="whileItSends">Of the second rate.</param>
    private async Task<ProgramResult> RunAsync(Func<Task> whileItSends)
    {
        using var run =
            LoadTestProcess.Start(_folder.Path, [.. WorkersTests.Small, "rates=100,200", "--set", "for=4s", "--set", "settle=0s"]);
        await run.UntilLineAsync("1/2 ");

        // The first rate has 400 requests and as many replies; what comes after them is of the second.
        using var stats = new StatsReader(new Uri(Address().Match(Started("direct").Detail).Value));
        await Waiting.UntilAsync(async () => MessagesIn(await stats.ReadAsync(CancellationToken.None)) > 800);
        await whileItSends();
        return await run.EndAsync();
    }

    private EventRow Started(string process) =>
        RecordReader.Read(_folder.Record).Events.Single(one => one.Kind == "started" && one.Target == process);

    private static long MessagesIn(string? stats)
    {
        using var document = JsonDocument.Parse(stats ?? "{\"messages\":{\"in\":0}}");
        return document.RootElement.GetProperty("messages").GetProperty("in").GetInt64();
    }

    [GeneratedRegex("http://.+")]
    private static partial Regex Address();
}
