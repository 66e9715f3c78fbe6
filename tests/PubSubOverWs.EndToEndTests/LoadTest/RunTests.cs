using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Collection(nameof(Machine))]
public sealed class RunTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Smoke_measures_both_arms_and_leaves_a_valid_record_and_no_process()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--out", "record");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        // What it does, before anything was started; what was found, once; and what to do next.
        Assert.StartsWith(
            "run        smoke: direct, pubsub at users 50, 100\niterations 3 of each in 1 block\n"
                + $"record     {_folder.Record}\ntime       about ",
            run.Output);
        Assert.Contains("\nmaking     the report from the record\n", run.Output);
        Assert.Single(run.Output.Split('\n'), line => line.StartsWith("users  arm ", StringComparison.Ordinal));
        Assert.Matches(@"\n   50  pubsub  3 +0 ", run.Output);
        Assert.Matches(@"\nvalid +\d+ checks of the run hold", run.Output);
        // It is not the paper: no hypothesis is judged.
        Assert.DoesNotContain("\nverdict ", run.Output, StringComparison.Ordinal);
        Assert.Matches(@"\nmeaning +Nothing was lost, pubsub's mean latency was .+ not judged\.\n", run.Output);
        Assert.EndsWith(
            $"\n           {new Uri(Path.Combine(_folder.Record, "report.html"))}\n"
                + $"next       pubsub-over-ws open {_folder.Record}   (the report, in the browser)",
            run.Output);
        var record = RecordReader.Read(_folder.Record);
        Assert.True(record.Run.Complete);
        Assert.Equal(Planned(record), record.Rows.Select(row => (row.Arm, row.Iteration)));
        Assert.All(record.Rows, row => Assert.Equal((row.Users, DrainState.Proven), (row.Buckets.Delivered, row.DrainState)));
        Assert.All(record.Rows.Where(row => row.Arm == Relays.PubSub),
            row => Assert.True(row.Queue?.Calls.Send > 0 && row.ClientBytes?.Payload >= 100 * row.Users));
        Assert.Contains(record.Events, one => one.Kind == "queue-deleted");
        Assert.Empty(_folder.ProcessesLeft());
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task Transports_run_at_once_and_lose_nothing_whichever_way_a_client_receives()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "transports", "--quick", "--set", "tests=Edmonton 3,Lund 3", "--set", "measurements=12", "--out",
            "record");

        var record = _folder.RecordOf(run);
        Assert.Equal(8, record.Rows.Count);
        Assert.Single(record.Rows.Select(row => (row.Start, row.Burst)).Distinct());
        Assert.All(record.Rows, row => Assert.Equal(
            (12, 1, 0, (TimeSpan?)null), (row.Buckets.Delivered, row.Connections, row.Anomalies.Duplicates, row.Cpu.Server)));
        // No answer comes sooner than the network lets it, and a client that pauses waits longest.
        foreach (var (level, delay) in new[] { ("Edmonton 3", 40.5), ("Lund 3", 75.1) })
        {
            var means = record.Rows.Where(row => row.Level.ToString() == level)
                .ToDictionary(row => row.Arm, row => row.Latency.Mean!.Value / 1000);
            Assert.True(means.Values.All(mean => mean > delay - 2), $"{level}: {string.Join(", ", means)}");
            Assert.True(means["polling"] > means["websocket"], $"{level}: {string.Join(", ", means)}");
        }
        Assert.Equal(
            ["fault-proxy", "feed"],
            record.Events.Where(one => one.Kind == "started").Select(one => one.Target).Order(StringComparer.Ordinal));
        Assert.Contains(
            "| Edmonton 3 | long-polling | 41.5 (0.97) |", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    public void Dispose() => _folder.Dispose();

    internal static IEnumerable<(string Arm, int Iteration)> Planned(RunFolder record) =>
        record.Run.Order.SelectMany(step => step.Arms.Select(arm => (arm, step.Iteration)));
}

/// <summary>
/// Runs that are to be valid, which they may not be beside others, and pages, for which a browser wants all cores: one after the other,
/// when all other tests are over.
/// </summary>
[CollectionDefinition(nameof(Machine), DisableParallelization = true)]
public sealed class Machine;
