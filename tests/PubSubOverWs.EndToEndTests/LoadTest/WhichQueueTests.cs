using PubSubOverWs.LoadTest.Experiments.WhichQueue;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs of which nothing depends on what else the machine does.</summary>
public sealed class WhichQueueTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [FactNeeds(Needed.Redis)]
    public async Task What_a_killed_Redis_had_on_its_disk_comes()
    {
        var run = await RunAsync("queue-killed", "redis,redis+everysec");

        var record = _folder.RecordOf(run);
        Assert.Equal(["redis", "redis+everysec"], record.Rows.Select(row => row.Arm).Order(StringComparer.Ordinal));
        Assert.All(record.Rows, row => Assert.Equal((0L, 2_000L), (WhichQueueAnalysis.LostOf(row), row.Buckets.Acknowledged)));
        // What the killed process wrote is not known.
        Assert.All(record.Rows, row => Assert.Null(row.Measures["written"]));
        Assert.Matches(@"^\d+\.\d+", record.Run.SetUp.Settings["broker version of redis"]);
        Assert.Empty(_folder.ProcessesLeft());
        await _folder.ValidateAsync();
    }

    [FactNeeds(Needed.PowerCut)]
    public async Task After_a_power_cut_a_Redis_has_what_was_on_its_disk()
    {
        var run = await RunAsync("power-cut", "redis,redis+default");

        var record = _folder.RecordOf(run);
        var lost = record.Rows.ToDictionary(row => row.Arm, WhichQueueAnalysis.LostOf);
        Assert.Equal(0, lost["redis"]);
        // What was answered before the cut and not on a disk, of at least two thirds of a second.
        Assert.InRange(lost["redis+default"], 1, 1_999);
        await _folder.ValidateAsync();
    }

    [FactNeeds(Needed.Redis)]
    public async Task A_queue_by_itself_and_behind_a_server_has_figures()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "which-queue", "--quick", "--arms", "direct,sqs,redis", "--set", "trials=relayed,alone", "--set",
            "rates=100", "--set", "for=1s", "--set", "aloneMessages=1000", "--set", "warmUps=0", "--out", "record");

        var record = _folder.RecordOf(run);
        Assert.All(record.Rows, row => Assert.Equal(row.Buckets.Attempts, row.Buckets.Delivered));
        Assert.Equal(
            ["alone redis", "alone sqs", "relayed direct", "relayed redis", "relayed sqs"],
            record.Rows.Select(row => $"{QueueTrial.Of(row.Level).Name} {row.Arm}").Order(StringComparer.Ordinal));
        Assert.All(record.Rows.Where(row => row.Arm != "direct"), row => Assert.True(row.Measures["queueCpu"] > 0));
        Assert.All(record.Rows.Where(row => row.Arm == "redis"), row => Assert.True(row.Measures["written"] >= 100));
        Assert.Contains("## What a message costs", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    public void Dispose() => _folder.Dispose();

    private Task<ProgramResult> RunAsync(string trial, string arms) => LoadTestProcess.RunAsync(
        _folder.Path, "run", "which-queue", "--quick", "--arms", arms, "--set", $"trials={trial}", "--set", "kills=1", "--set", "cuts=1",
        "--set", "faultRate=1000", "--out", "record");
}
