using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Runs;

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
        var record = RecordReader.Read(_folder.Record);
        Assert.True(record.Run.Complete);
        Assert.Equal(RunRecordRows(record), record.Rows.Select(row => (row.Arm, row.Iteration)));
        Assert.All(record.Rows, row => Assert.Equal((row.Users, DrainState.Proven), (row.Buckets.Delivered, row.DrainState)));
        Assert.All(record.Rows.Where(row => row.Arm == Arms.PubSub), row => Assert.True(row.Queue.Calls.Send > 0 && row.ClientBytes.Payload >= 100 * row.Users));
        Assert.Contains(record.Events, one => one.Kind == "queue-deleted");
        Assert.Empty(_folder.ProcessesLeft());
        Assert.Equal(0, (await LoadTestProcess.RunAsync(_folder.Path, "validate", "record")).ExitCode);
    }

    [Fact]
    public async Task A_gate_that_does_not_hold_ends_with_2()
    {
        // Nothing can come back within a millisecond of the burst's start at this level, so all is late.
        var scenario = Path.Combine(_folder.Path, "late.json");
        await File.WriteAllTextAsync(scenario, """{"name":"late","arms":["direct"],"users":[200],"iterations":1,"blocks":1,"warmUps":0,"floor":false,"deadline":"1ms"}""");

        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", scenario, "--out", "record", "--gate", "direct.loss == 0");

        Assert.True(run.ExitCode == 2, run.Output + run.Error);
        Assert.Contains("direct.loss == 0: failed", run.Output);
    }

    [Fact]
    public async Task A_server_that_cannot_be_reached_is_refused_before_anything_is_started()
    {
        var port = FreePort.Find();

        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--out", "record", "--direct", $"http://127.0.0.1:{port}");

        Assert.Equal(10, run.ExitCode);
        Assert.Matches($@"^The direct server at http://127\.0\.0\.1:{port}/ cannot be reached \(.+\): start it, or leave --direct away to have the run start one\.$", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [Fact]
    public async Task A_queue_that_cannot_be_reached_is_refused_before_anything_is_started()
    {
        var port = FreePort.Find();

        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--out", "record", "--sqs-endpoint", $"http://127.0.0.1:{port}");

        Assert.Equal(10, run.ExitCode);
        Assert.StartsWith($"The queue at http://127.0.0.1:{port}/ cannot be used: ", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [Fact]
    public async Task A_second_run_is_refused_with_the_pid_of_the_first()
    {
        using var held = RunLock.Take(_folder.Path, "run paper");

        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--out", "record");

        Assert.Equal(5, run.ExitCode);
        Assert.Contains($"pid {Environment.ProcessId}, run paper", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    public void Dispose() => _folder.Dispose();

    private static IEnumerable<(string Arm, int Iteration)> RunRecordRows(RunFolder record) =>
        record.Run.Order.SelectMany(step => step.Arms.Select(arm => (arm, step.Iteration)));
}
