using PubSubOverWs.LoadTest.Experiments.Nodes;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Compare;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs in their smallest form that still take long.</summary>
[Collection(nameof(Machine))]
[Trait("Category", "Long")]
public sealed class LongRunTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Arms_have_warm_ups_until_they_are_steady_and_the_record_says_which_were()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "smoke", "--users", "50", "--iterations", "1", "--set", "mostWarmUps=5", "--plain", "--out", "record");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Matches(@"\ntime +about .+, up to .+ with all warm-ups;", run.Output);
        var record = RecordReader.Read(_folder.Record);
        foreach (var arm in new[] { Relays.Direct, Relays.PubSub })
        {
            var warmUps = record.Rows.Where(row => row.WarmUp && row.Arm == arm).ToArray();
            Assert.InRange(warmUps.Length, 3, 5);
            Assert.True(WarmUpRule.IsSteady(warmUps) == true || warmUps.Length == 5);
            Assert.Single(record.Rows, row => row.Counts && row.Arm == arm);
        }

        Assert.Contains($"| {SteadyCheck.Name} |", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task Fan_out_reaches_every_subscriber_through_both_servers_and_its_record_holds_its_measures()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "fan-out", "--quick", "--iterations", "1", "--set", "subscribers=5", "--set", "for=500ms",
            "--out", "record");

        var record = _folder.RecordOf(run);
        Assert.Equal(
            [Relays.Direct, Relays.PubSub], record.Rows.Where(row => row.Counts).Select(row => row.Arm).Order(StringComparer.Ordinal));
        Assert.All(record.Rows, row => Assert.Equal((125, 9, 5.0), (row.Buckets.Delivered, row.Connections, row.Measures["fullyReached"])));
        Assert.Contains("| subscribers | rate | arm |", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task The_cost_of_transports_is_measured_over_both_versions_of_HTTP()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "transports-cost", "--quick", "--set", "clients=5", "--set", "measurements=6", "--out", "record");

        var record = _folder.RecordOf(run);
        Assert.Equal(6, record.Rows.Count);
        Assert.All(record.Rows, row => Assert.Equal((30, 5), (row.Buckets.Delivered, row.Connections)));
        // A WebSocket message has two bytes before it; over HTTP/2 a frame of nine more, and pings of the framework come beside.
        Assert.Equal(24, Bytes("websocket"));
        Assert.InRange(Bytes("websocket-h2")!.Value, 33, 45);
        Assert.All(record.Rows, row => Assert.True(row.Measures["idleMemory"] is not null && row.Cpu.Server is not null));
        Assert.True(Bytes("long-polling") > Bytes("long-polling-h2"));

        double? Bytes(string arm) => record.Rows.Single(row => row.Arm == arm).Measures["bytesToClient"];
    }

    [Fact]
    public async Task Clients_whose_connection_is_cut_come_back_by_every_transport_and_miss_nothing_if_they_say_what_they_have()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "transports-cuts", "--quick", "--set", "losses=0,5", "--set", "phases=2", "--set", "measurements=20",
            "--set", "cutAfter=1s", "--set", "deadline=5s", "--out", "record");

        var record = _folder.RecordOf(run);
        Assert.Equal(6 * 4, record.Rows.Count);
        Assert.All(record.Rows, row => Assert.True(
            row.Connections == 2 && row.Anomalies is { Duplicates: 0, Corrupted: 0, Unexpected: 0 }
                && row.Measures["cuts"] >= 4 && row.Measures["untilFirst"] > 75,
            $"{row.Arm} at {row.Level}: {row.Anomalies}, {row.Measures["cuts"]} cuts, {row.Measures["untilFirst"]} ms"));
        Assert.All(
            record.Rows.Where(row => row.Arm == "sse" || row.Level.Key.EndsWith("resuming", StringComparison.Ordinal)),
            row => Assert.Equal((row.Arm, 40), (row.Arm, row.Buckets.Delivered + row.Buckets.Late)));
        Assert.Contains(record.Rows, row => row.Arm is "websocket" or "websocket-h2" && row.Buckets.LostUnacknowledged > 0);
        Assert.Contains(
            "| resuming-clients-miss-nothing |", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task Stalled_readers_are_filled_and_stay_stalled_while_the_others_get_every_message()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "stalled-readers", "--quick", "--set", "readers=20", "--set", "others=3", "--set", "rate=100", "--out",
            "record");

        var record = _folder.RecordOf(run);
        Assert.Equal(8, record.Rows.Count);
        Assert.All(record.Rows, row => Assert.Equal(
            (100, row.Arm.EndsWith("-alone", StringComparison.Ordinal) ? 20 : 23, DrainState.Proven, 1024.0),
            (row.Buckets.Delivered, row.Connections, row.DrainState, row.Measures["heapLimit"])));
        Assert.All(record.Rows.Where(row => row.Arm.EndsWith("-stalled", StringComparison.Ordinal)), row => Assert.Equal(
            (true, 30.0, 0.0), (row.Measures["rounds"] > 50, row.Measures["othersSent"], row.Measures["othersRead"])));
        Assert.All(record.Rows.Where(row => row.Arm.EndsWith("-disconnected", StringComparison.Ordinal)), row => Assert.Equal(
            (3.0, 3.0), (row.Measures["disconnected"], row.Measures["told"])));
        Assert.Equal(
            ["direct", "direct-disconnected", "localsqs", "pubsub", "pubsub-disconnected"],
            record.Events.Where(one => one.Kind == "started").Select(one => one.Target).Order(StringComparer.Ordinal));
        Assert.DoesNotContain(record.Events, one => one.Kind == "queue-not-deleted");
        Assert.Contains("other-connections-as-specified", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task Several_pubsub_servers_are_measured_as_one_arm()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--pubsub-nodes", "2", "--users", "5,11", "--out", "record");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.Equal(RunTests.Planned(record), record.Rows.Select(row => (row.Arm, row.Iteration)));
        Assert.All(record.Rows,
            row => Assert.Equal((row.Users, row.Users, DrainState.Proven), (row.Connections, row.Buckets.Delivered, row.DrainState)));
        Assert.All(
            record.Rows.Where(row => row.Arm == Relays.PubSub),
            row => Assert.True(row.ClientBytes?.Payload == 100 * row.Users && row.Queue?.Calls.Send > 0 && row.Cpu.Server is not null));
        Assert.Equal(
            ["direct", "localsqs", "null-echo", "pubsub-1", "pubsub-2"],
            record.Events.Where(one => one.Kind == "started").Select(one => one.Target).Distinct().Order(StringComparer.Ordinal));
        Assert.DoesNotContain(record.Events, one => one.Kind == "queue-not-deleted");
        Assert.Empty(_folder.ProcessesLeft());
        Assert.Equal(
            ["pubsub-1", "pubsub-2"],
            StatsLine.ReadAll(_folder.Record).First(line => line.Arm == Relays.PubSub).Servers.Select(server => server.Server));
        Assert.Contains(" (pubsub: 2 nodes)", (await File.ReadAllLinesAsync(Path.Combine(_folder.Record, "report.md")))[0]);
    }

    [Fact]
    public async Task Two_instances_of_the_pubsub_server_have_a_queue_each_and_the_criterion_decides_the_exit_code()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--aa", "pubsub", "--users", "5,11", "--out", "record");

        var record = RecordReader.Read(_folder.Record);
        Assert.True(record.Run.Complete, run.Output + run.Error);
        Assert.Equal(NoiseFloors.FoundBy(record)!.Passes ? 0 : 2, run.ExitCode);
        Assert.Equal(RunTests.Planned(record), record.Rows.Select(row => (row.Arm, row.Iteration)));
        Assert.All(record.Rows, row => Assert.Equal((row.Users, DrainState.Proven), (row.Buckets.Delivered, row.DrainState)));
        Assert.Equal(
            ["localsqs", "null-echo", "pubsub-a", "pubsub-b"],
            record.Events.Where(one => one.Kind == "started").Select(one => one.Target).Order(StringComparer.Ordinal));
        Assert.Equal(
            ["-a", "-b"],
            record.Events.Where(one => one.Kind == "queue-deleted").Select(one => one.Target[^2..]).Order(StringComparer.Ordinal));
        Assert.Empty(_folder.ProcessesLeft());
    }

    [Fact]
    public async Task The_report_made_again_is_the_same_byte_for_byte()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--users", "5,10", "--out", "record");
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        string[] files = [.. Directory.GetFiles(_folder.Record, "report.*").Order(StringComparer.Ordinal)];
        Assert.Equal(4, files.Length);
        var made = files.Select(File.ReadAllBytes).ToArray();
        Array.ForEach(files, File.Delete);
        File.Delete(RecordFiles.Samples(_folder.Record)); // As in a committed folder.

        Assert.Equal(0, (await LoadTestProcess.RunAsync(_folder.Path, "report", "record")).ExitCode);

        Assert.Equal(made, files.Select(File.ReadAllBytes));
    }

    [Fact]
    public async Task A_server_that_is_killed_again_and_again_delivers_everything_with_no_more_duplicates_than_the_kills_explain()
    {
        const int MaxInFlight = 100;
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "kills", "--quick", "--out", "record", "--arms", "pubsub", "--users", "20", "--set", "messages=100",
            "--set", "arrival=spread:8s", "--set", "fault={\"profile\":\"restart\",\"times\":3,\"down\":\"1s\"}", "--set",
            $"maxInFlight={MaxInFlight}");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        var record = RecordReader.Read(_folder.Record);
        var row = Assert.Single(record.Rows);
        Assert.Equal((2_000, 2_000, 0), (row.Buckets.Acknowledged, row.Buckets.Delivered, row.Buckets.LostAcknowledged));
        Assert.Equal((0, 0, DrainState.Proven), (row.Anomalies.Unexpected, row.Anomalies.Corrupted, row.DrainState));
        var fault = FaultRow.Find(row)!;
        Assert.Equal(3, fault.FaultActions);
        Assert.InRange(row.Anomalies.Duplicates, 0, (3 * MaxInFlight) + fault.Republished);
    }

    [Fact]
    public async Task When_a_node_fails_no_queue_message_is_lost_and_subscribers_are_told_of_every_lost_topic_message()
    {
        const int Subscribers = 6;
        const int Messages = 60;
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "nodes", "--quick", "--out", "record", "--set", "arms=undisturbed,sns-cut,sqs-answers-cut",
            "--set", "faultFor=4", "--set", $"messages={Messages}", "--set", $"topicSubscribers={Subscribers}", "--set", "queues=2");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.Equal(["sns-cut", "sqs-answers-cut", "undisturbed"], record.Rows.Select(row => row.Arm).Order(StringComparer.Ordinal));
        Assert.All(record.Rows, row =>
        {
            var (topic, queue) = (row.Only("topic").Buckets, row.Only("queue").Buckets);
            Assert.Equal((Messages * Subscribers, (long)Messages), (topic.Attempts, queue.Attempts));
            Assert.Equal((0L, (double?)topic.LostAcknowledged), (queue.LostAcknowledged, row.Measures[NodesScenario.TopicTold.Name]));
            Assert.Equal(row.Arm != NodeArms.Undisturbed, row.Measures[FaultAction.ReadyAgain.Name] is not null);
        });
        Assert.Contains("no message to a queue is lost", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task All_that_is_injected_into_both_servers_is_found_and_nothing_is_recorded()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "--self-test", "--seed", "7");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains("Self-test passed", run.Output, StringComparison.Ordinal);
        var rows = run.Output.Split(
            '\n').Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
            .Where(cells => cells.Length == 5 && cells.Skip(1).All(cell => int.TryParse(cell, out _)))
            .ToDictionary(cells => cells[0], cells => cells.Skip(1).Select(int.Parse).ToArray());
        Assert.All(rows.Values, counts => Assert.Equal((counts[0], counts[2]), (counts[1], counts[3])));
        Assert.All(
            ["delivered", "late", "refused", "lostAcknowledged", "lostUnacknowledged", "duplicates", "reorderings", "unexpected",
                "corrupted"],
            kind => Assert.True(rows[kind][0] > 0 && rows[kind][2] > 0, run.Output));
        Assert.Empty(Directory.EnumerateDirectories(_folder.Path));
    }

    public void Dispose() => _folder.Dispose();
}
