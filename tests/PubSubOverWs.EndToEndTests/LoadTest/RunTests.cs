using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Compare;

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
        Assert.Equal(RunRecordRows(record), record.Rows.Select(row => (row.Arm, row.Iteration)));
        Assert.All(record.Rows, row => Assert.Equal((row.Users, DrainState.Proven), (row.Buckets.Delivered, row.DrainState)));
        Assert.All(record.Rows.Where(row => row.Arm == Relays.PubSub),
            row => Assert.True(row.Queue?.Calls.Send > 0 && row.ClientBytes?.Payload >= 100 * row.Users));
        Assert.Contains(record.Events, one => one.Kind == "queue-deleted");
        Assert.Empty(_folder.ProcessesLeft());
        await _folder.ValidateAsync();
    }

    [Fact]
    [Trait("Category", "Long")]
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
    [Trait("Category", "Long")]
    public async Task Fan_out_reaches_every_subscriber_through_both_servers_and_its_record_holds_its_measures()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "fan-out", "--quick", "--iterations", "1", "--set", "subscribers=5", "--set", "for=500ms",
            "--out", "record");

        var record = RecordReader.Read(_folder.Record);
        // Whether the load's core was busy with other things is the machine's affair.
        Assert.True(run.ExitCode == (Validity.IsValid(record) ? 0 : 2), run.Output + run.Error);
        Assert.Equal(
            [Relays.Direct, Relays.PubSub], record.Rows.Where(row => row.Counts).Select(row => row.Arm).Order(StringComparer.Ordinal));
        Assert.All(record.Rows, row => Assert.Equal((125, 9, 5.0), (row.Buckets.Delivered, row.Connections, row.Measures["fullyReached"])));
        Assert.Contains("| subscribers | rate | arm |", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task Request_reply_answers_every_request_through_both_servers_and_its_report_has_the_knee_and_the_published_figures()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "request-reply", "--quick", "--users", "20", "--set", "rates=100,1000", "--set", "for=1s", "--set",
            "settle=200ms", "--set", "deadline=10s", "--out", "record");

        var record = RecordReader.Read(_folder.Record);
        Assert.True(run.ExitCode == (Validity.IsValid(record) ? 0 : 2), run.Output + run.Error);
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
    public async Task Transports_run_at_once_and_lose_nothing_whichever_way_a_client_receives()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "transports", "--quick", "--set", "tests=Edmonton 3,Lund 3", "--set", "measurements=12", "--out",
            "record");

        var record = RecordReader.Read(_folder.Record);
        Assert.True(run.ExitCode == (Validity.IsValid(record) ? 0 : 2), run.Output + run.Error);
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

    [Fact]
    public async Task Requests_beside_a_stream_are_answered_on_one_socket_on_two_between_chunks_and_over_http2()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "stream-interference", "--quick", "--iterations", "1", "--set", "warmUps=0", "--set", "requests=50",
            "--set", "streams=idle,100000/10ms", "--out", "record");

        var record = RecordReader.Read(_folder.Record);
        Assert.True(run.ExitCode == (Validity.IsValid(record) ? 0 : 2), run.Output + run.Error);
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
    [Trait("Category", "Long")]
    public async Task The_cost_of_transports_is_measured_over_both_versions_of_HTTP()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "transports-cost", "--quick", "--set", "clients=5", "--set", "measurements=6", "--out", "record");

        var record = RecordReader.Read(_folder.Record);
        Assert.True(run.ExitCode == (Validity.IsValid(record) ? 0 : 2), run.Output + run.Error);
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
    [Trait("Category", "Long")]
    public async Task Clients_whose_connection_is_cut_come_back_by_every_transport_and_miss_nothing_if_they_say_what_they_have()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "transports-cuts", "--quick", "--set", "losses=0,5", "--set", "phases=2", "--set", "measurements=20",
            "--set", "cutAfter=1s", "--set", "deadline=5s", "--out", "record");

        var record = RecordReader.Read(_folder.Record);
        Assert.True(run.ExitCode == (Validity.IsValid(record) ? 0 : 2), run.Output + run.Error);
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
    [Trait("Category", "Long")]
    public async Task Stalled_readers_are_filled_and_stay_stalled_while_the_others_get_every_message()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "stalled-readers", "--quick", "--set", "readers=20", "--set", "others=3", "--set", "rate=100", "--out",
            "record");

        var record = RecordReader.Read(_folder.Record);
        Assert.True(run.ExitCode == (Validity.IsValid(record) ? 0 : 2), run.Output + run.Error);
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
    [Trait("Category", "Long")]
    public async Task Several_pubsub_servers_are_measured_as_one_arm()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--pubsub-nodes", "2", "--users", "5,11", "--out", "record");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.Equal(RunRecordRows(record), record.Rows.Select(row => (row.Arm, row.Iteration)));
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
    [Trait("Category", "Long")]
    public async Task Two_instances_of_the_pubsub_server_have_a_queue_each_and_the_criterion_decides_the_exit_code()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--aa", "pubsub", "--users", "5,11", "--out", "record");

        var record = RecordReader.Read(_folder.Record);
        Assert.True(record.Run.Complete, run.Output + run.Error);
        Assert.Equal(NoiseFloors.FoundBy(record)!.Passes ? 0 : 2, run.ExitCode);
        Assert.Equal(RunRecordRows(record), record.Rows.Select(row => (row.Arm, row.Iteration)));
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
    [Trait("Category", "Long")]
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

    private static IEnumerable<(string Arm, int Iteration)> RunRecordRows(RunFolder record) =>
        record.Run.Order.SelectMany(step => step.Arms.Select(arm => (arm, step.Iteration)));
}
