using PubSubOverWs.EndToEndTests.Load;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs against servers that were already there.</summary>
public sealed class ServersThatWereThereTests : IAsyncLifetime
{
    private readonly TestFolder _folder = new();
    private ChildServer _localSqs = null!;
    private ChildServer _direct = null!;
    private ChildServer _pubsub = null!;

    public async Task InitializeAsync()
    {
        _localSqs = await TestServers.QueueAsync();
        _direct = await TestServers.DirectAsync();
        _pubsub = await TestServers.PubSubAsync(_localSqs.Address, "--Queue:Name", "theirs");
    }

    [Fact]
    public async Task Without_the_queues_address_the_drain_is_not_proven()
    {
        var record = await RunAsync();

        Assert.All(record.Rows.Where(row => row.Arm == Relays.PubSub), row => Assert.Equal(DrainState.NotProven, row.DrainState));
        Assert.Equal("of a server that was already there", record.Run.SetUp.Queue);
        Assert.Equal(["null-echo"], record.Events.Where(one => one.Kind == "started").Select(one => one.Target));
        Assert.True(_pubsub.IsRunning && _direct.IsRunning);
    }

    [Fact]
    public async Task What_is_no_STOMP_server_is_refused_before_anything_is_measured()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "smoke", "--arms", "pubsub", "--pubsub", _localSqs.Address.ToString(), "--out", "record");

        Assert.Equal(5, run.ExitCode);
        Assert.StartsWith($"The server at {_localSqs.Address} does not open a WebSocket for STOMP (handshake-rejected(4", run.Error);
        Assert.EndsWith("give --pubsub the address of a pubsub server that does.", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task With_the_queues_address_the_drain_is_proven_and_their_queue_is_left_alone()
    {
        var record = await RunAsync("--sqs-endpoint", _localSqs.Address.ToString());

        Assert.All(record.Rows, row => Assert.Equal((DrainState.Proven, row.Users), (row.DrainState, row.Buckets.Delivered)));
        Assert.DoesNotContain(record.Events, one => one.Kind.StartsWith("queue", StringComparison.Ordinal));
        Assert.Equal(1, record.Run.Scenario.Blocks);
        Assert.False(record.Run.SetUp.OwnServers);
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task Bytes_that_another_products_server_does_not_report_are_missing_and_not_zero()
    {
        await using var other = await FaultyServer.StartAsync(_ => FaultyServer.Fault.None);

        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "smoke", "--users", "5", "--arms", "direct", "--direct", other.Address.ToString(), "--out", "record");

        var record = RecordReader.Read(_folder.Record);
        var direct = record.Rows.Where(row => row.Arm == Relays.Direct).ToArray();
        Assert.NotEmpty(direct);
        Assert.All(direct, row => Assert.Equal((5, null, null, null), (row.Buckets.Delivered, row.Drops, row.ClientBytes, row.Queue)));
        Assert.Equal(
            direct.Select(row => $"direct iteration {row.Iteration}: /stats could not be read before the burst"),
            record.Events.Where(one => one.Kind == "not-counted").Select(one => $"{one.Target} {one.Detail}"));
        Assert.Contains($"report     {Path.Combine(_folder.Record, "report.html")}", run.Output);
    }

    public async Task DisposeAsync()
    {
        await _pubsub.DisposeAsync();
        await _direct.DisposeAsync();
        await _localSqs.DisposeAsync();
        _folder.Dispose();
    }

    private async Task<RunFolder> RunAsync(params string[] options)
    {
        string[] arguments =
        [
            "run", "smoke", "--users", "5,10", "--out", "record",
            "--direct", _direct.Address.ToString(), "--pubsub", $"ws://{_pubsub.Address.Authority}/ws", .. options,
        ];
        var run = await LoadTestProcess.RunAsync(_folder.Path, arguments);
        return _folder.RecordOf(run);
    }
}
