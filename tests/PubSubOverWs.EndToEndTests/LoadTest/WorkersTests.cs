using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs whose clients several load processes share.</summary>
[Collection(nameof(Machine))]
public sealed class WorkersTests : IDisposable
{
    internal static readonly string[] Small =
        ["run", "request-reply", "--quick", "--arms", "direct", "--users", "21", "--workers", "2", "--out", "record", "--set"];

    private readonly TestFolder _folder = new();

    [FactNeeds(Needed.Linux)]
    public async Task Two_load_processes_send_together_what_one_would_and_leave_one_record()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, [.. Small, "rates=100,1000", "--set", "for=1s", "--set", "settle=200ms", "--set", "deadline=10s"]);

        var record = _folder.RecordOf(run);
        Assert.Contains("\nclients    shared by 2 load processes\n", run.Output);
        Assert.Equal(2, record.Run.Scenario.Workers);
        Assert.Equal(2, record.Rows.Count);
        // 21 users and 16 providers; every counted request once in each flow, and its latency in its histogram.
        Assert.All(record.Rows, row => Assert.Equal(
            (row.Level.Rate!.Value, row.Level.Rate.Value, row.Level.Rate.Value, 37, default(Anomalies), 0.0), (
                (int)row.Buckets.Delivered, (int)row.Flows[1].Buckets.Delivered, (int)row.Flows[2].Buckets.Delivered, row.Connections,
                row.Anomalies, row.Measures["notSent"]!.Value)));
        Assert.All(record.Rows, row => Assert.Equal(
            row.Level.Rate!.Value, record.Latency[(row.Arm, row.Iteration, "round-trip")].Count));
        Assert.All(record.Rows, row => Assert.True(row.Cpu.Load > TimeSpan.Zero && row.Measures["perCoreSecond"] > 0));
        // Of the run and its load processes, as read back; empty where nothing can be pinned.
        string[] cores =
            [.. record.Run.SetUp.Pinned.Where(one => one.Process.StartsWith("load", StringComparison.Ordinal)).Select(one => one.Cores)];
        Assert.True(cores.Length is 0 or 3);
        Assert.InRange(cores.Distinct().Count(), 0, 1);
        Assert.Equal(
            ["direct", "load-1", "load-2"],
            record.Events.Where(one => one.Kind == "started").Select(one => one.Target).Order(StringComparer.Ordinal));
        Assert.All(
            record.Events.Where(one => one.Kind == "stopped" && one.Target.StartsWith("load-", StringComparison.Ordinal)),
            one => Assert.Equal("exit code 0", one.Detail));
        Assert.Empty(_folder.ProcessesLeft());
        Assert.Contains(
            "2, which share users and providers evenly", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task Idle_connections_of_several_servers_and_load_processes_all_get_every_message_and_their_memory_is_in_the_record()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "idle-connections", "--quick", "--arms", "pubsub+lean", "--set", "connections=40", "--set",
            "perProcess=20", "--set", "settle=0s", "--set", "idle=1s", "--set", "every=200ms", "--out", "record");

        var record = _folder.RecordOf(run);
        var row = Assert.Single(record.Rows);
        Assert.Equal((200, 41, default(Anomalies)), ((int)row.Buckets.Delivered, row.Connections, row.Anomalies));
        Assert.Equal(
            ["load-1", "load-2", "pubsub+lean-1", "pubsub+lean-2"],
            record.Events.Where(one => one.Kind == "started" && one.Target.Contains('-')).Select(one => one.Target)
                .Order(StringComparer.Ordinal));
        // So few connections may fit into memory that was there, and idle servers may differ by more than so few deliveries take.
        Assert.All(
            record.Run.Scenario.Measures.Where(
                measure => !measure.Name.StartsWith("memoryPer", StringComparison.Ordinal) && measure.Name != "cpuPerDelivery"),
            measure => Assert.True(row.Measures[measure.Name] > 0, measure.Name));
        Assert.InRange(row.Measures["halfReached"]!.Value, 0, row.Measures["allReached"]!.Value);
        Assert.Empty(_folder.ProcessesLeft());
        Assert.Contains(
            "2 servers of each arm, and 2 load processes", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    public void Dispose() => _folder.Dispose();
}
