using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs in their smallest form of which nothing depends on what else the machine does.</summary>
public sealed class ExperimentRunTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Request_reply_answers_every_request_through_both_servers_and_its_report_has_the_knee_and_the_published_figures()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "request-reply", "--quick", "--users", "20", "--set", "rates=100,1000", "--set", "for=1s", "--set",
            "settle=200ms", "--set", "deadline=10s", "--out", "record");

        var record = _folder.RecordOf(run);
        Assert.Equal(4, record.Rows.Count);
        Assert.All(record.Rows, row => Assert.Equal(
            (row.Level.Rate!.Value, row.Level.Rate.Value, 36, 3, default(Anomalies)), (
                (int)row.Buckets.Delivered, (int)row.Flows[1].Buckets.Delivered, row.Connections, row.Flows.Count, row.Anomalies)));
        Assert.All(record.Rows, row => Assert.True(row.Measures["perCoreSecond"] > 0 && row.Measures["resident"] > 0));
        var report = await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md"));
        Assert.Contains("## Knee", report);
        Assert.Contains("| published | direct | pubsub |", report);
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task Requests_beside_a_stream_are_answered_on_one_socket_on_two_between_chunks_and_over_http2()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "stream-interference", "--quick", "--iterations", "1", "--set", "warmUps=0", "--set", "requests=50",
            "--set", "streams=idle,100000/10ms", "--out", "record");

        var record = _folder.RecordOf(run);
        Assert.Equal(8, record.Rows.Count);
        Assert.All(record.Rows, row => Assert.Equal(
            (50, row.Arm is "two-sockets" or "http2" ? 2 : 1, default), (row.Buckets.Delivered, row.Connections, row.Anomalies)));
        Assert.All(record.Rows.Where(row => row.Level.Key == "0-0-1"), row => Assert.Equal(
            (0.0, 0.0, (double?)null), (row.Measures["streamAsked"], row.Measures["streamArrived"], row.Measures["streamShare"])));
        Assert.All(record.Rows.Where(row => row.Level.Key == "100000-10000-1"), row => Assert.Equal(
            (10.0, true), (row.Measures["streamAsked"], row.Measures["streamArrived"] > 0)));
        Assert.Equal(["stream-server"], record.Events.Where(one => one.Kind == "started").Select(one => one.Target));
        Assert.Contains("## The published table", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        Assert.Empty(_folder.ProcessesLeft());
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task A_gate_that_does_not_hold_ends_with_2()
    {
        // Nothing can come back within a millisecond of the burst's start at this level, so all is late.
        var scenario = Path.Combine(_folder.Path, "late.json");
        await File.WriteAllTextAsync(
            scenario,
            """{"name":"late","arms":["direct"],"users":[200],"iterations":1,"blocks":1,"warmUps":0,"floor":false,"deadline":"1ms"}""");

        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", scenario, "--out", "record", "--gate", "direct.loss == 0");

        Assert.True(run.ExitCode == 2, run.Output + run.Error);
        Assert.Contains("direct.loss == 0: failed", run.Output);
    }

    public void Dispose() => _folder.Dispose();
}
