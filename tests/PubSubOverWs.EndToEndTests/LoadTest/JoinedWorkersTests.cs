using System.Globalization;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs whose clients are in load processes that were started elsewhere and join.</summary>
[Collection(nameof(Machine))]
public sealed partial class JoinedWorkersTests : IDisposable
{
    private const string Token = "a-token-that-nobody-else-can-know";

    private readonly TestFolder _folder = new();
    private readonly List<LoadTestProcess> _workers = [];
    private readonly string _tokenFile;
    private readonly int _port = FreePort.Find();

    public JoinedWorkersTests()
    {
        _tokenFile = Path.Combine(_folder.Path, "token");
        File.WriteAllText(_tokenFile, Token + "\n");
    }

    [FactNeeds(Needed.Linux)]
    public async Task Users_of_the_paper_in_two_joined_processes_leave_a_record_that_has_their_clocks_and_not_the_token()
    {
        using var run = Start(
            "paper", "--quick", "--users", "20", "--iterations", "2", "--workers", "2", "--set", "warmUps=1", "--arms", "direct");
        Join(2);
        var end = await run.EndAsync();

        var record = _folder.RecordOf(end);
        Assert.Contains("\nclients    shared by 2 load processes\n", end.Output);
        Assert.All(record.Rows, row => Assert.Equal((20, default, 0L), (row.Connections, row.Anomalies, row.Buckets.Lost)));
        Assert.Equal(["load-1", "load-2"], record.Events.Where(one => one.Kind == "joined").Select(one => one.Target));
        Assert.Equal(2 * record.Rows.Count, record.Events.Count(one => one.Kind == "clock"));
        // One clock, read in two processes.
        Assert.All(Clocks(record), one => Assert.InRange(Math.Abs(one.Offset), 0, one.Bound + 1));
        var ends = await Task.WhenAll(_workers.Select(one => one.EndAsync()));
        Assert.All(ends, one => Assert.Equal((0, ""), (one.ExitCode, one.Error)));
        Assert.DoesNotContain(Token, end.Output + string.Concat(ends.Select(one => one.Output)), StringComparison.Ordinal);
        Assert.All(
            Directory.EnumerateFiles(_folder.Record, "*", SearchOption.AllDirectories),
            file => Assert.DoesNotContain(Token, File.ReadAllText(file), StringComparison.Ordinal));
        Assert.Empty(_folder.ProcessesLeft());
        await _folder.ValidateAsync();
    }

    // Each process has a clock of its own, in a time namespace: the true offset is known.
    [FactNeeds(Needed.TimeNamespace)]
    public async Task The_clocks_of_processes_1000_2000_and_3000_s_ahead_are_known_to_within_their_bounds()
    {
        using var run = Start(
            "request-reply", "--quick", "--users", "21", "--workers", "3", "--arms", "direct", "--set", "rates=300", "--set", "for=1s",
            "--set", "settle=200ms", "--set", "deadline=10s");
        await run.UntilLineAsync("join ");
        // In the order in which they join.
        foreach (var ahead in (string[])["1000", "2000", "3000"])
        {
            Join(1, "unshare", "--time", "--fork", "--monotonic", ahead, "--boottime", ahead);
            await run.UntilLineAsync("join ");
        }
        var record = _folder.RecordOf(await run.EndAsync());

        var row = Assert.Single(record.Rows);
        Assert.Equal((300, default, 0L), ((int)row.Buckets.Delivered, row.Anomalies, row.Buckets.Lost));
        var clocks = Clocks(record).OrderBy(one => one.Process, StringComparer.Ordinal).ToArray();
        Assert.Equal(["load-1", "load-2", "load-3"], clocks.Select(one => one.Process));
        for (var i = 0; i < clocks.Length; i++)
            Assert.InRange(Math.Abs(clocks[i].Offset - (1_000_000_000.0 * (i + 1))), 0, clocks[i].Bound + 1);
        // With clocks 1,000 s apart a request would come 1,000 s before it was sent.
        Assert.All(row.Flows, flow => Assert.InRange(flow.Latency.P50!.Value, 0, 10_000_000));
    }

    [FactNeeds(Needed.Linux)]
    public Task A_process_that_is_killed_while_it_has_clients_is_named_and_its_iteration_does_not_count() =>
        LosesAsync(worker => worker.KillAsync());

    [FactNeeds(Needed.Linux)]
    public Task A_process_that_says_nothing_any_more_is_named_and_its_iteration_does_not_count() => LosesAsync(async worker =>
    {
        using var stop = System.Diagnostics.Process.Start("kill", ["-STOP", $"{worker.Id}"]);
        await stop.WaitForExitAsync();
    });

    [FactNeeds(Needed.Linux)]
    public async Task A_run_that_is_killed_ends_its_processes_with_a_sentence()
    {
        using var run = StartLong();
        await _workers[0].UntilLineAsync("joined ");
        await run.UntilLineAsync("1/");
        await run.KillAsync();
        var ends = await Task.WhenAll(_workers.Select(one => one.EndAsync()));

        Assert.All(ends, one => Assert.Equal(10, one.ExitCode));
        Assert.All(ends, one => Assert.StartsWith($"The run at https://127.0.0.1:{_port}/ has gone away without a word: ", one.Error));
    }

    [FactNeeds(Needed.Linux)]
    public async Task A_run_whose_processes_do_not_come_says_how_many_did()
    {
        using var run = Start("paper", "--quick", "--users", "20", "--workers", "2", "--arms", "direct", "--join-within", "3s");
        Join(1);
        var end = await run.EndAsync();

        Assert.Equal(10, end.ExitCode);
        Assert.StartsWith("Only 1 of 2 load processes joined within 3 s: ", end.Error);
    }

    public void Dispose()
    {
        _workers.ForEach(one => one.Dispose());
        _folder.Dispose();
    }

    private async Task LosesAsync(Func<LoadTestProcess, Task> lose)
    {
        using var run = StartLong();
        await run.UntilLineAsync("1/");
        await lose(_workers[1]);
        var end = await run.EndAsync();

        Assert.True(end.ExitCode == 10, end.Output + end.Error);
        Assert.Matches(
            "^Load process [12] of 2 at 127\\.0\\.0\\.1 cannot be reached any more \\(.+\\) before it had answered '[a-z]+', so the "
                + "iteration does not count and the run ends\\. See there what became of it, and start it again when the run is "
                + "resumed\\.$",
            end.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.False(record.Run.Complete);
        Assert.Equal(100, Assert.Single(record.Rows).Level.Rate);
        Assert.Empty(_folder.ProcessesLeft());
    }

    // Two trials of some seconds.
    private LoadTestProcess StartLong()
    {
        var run = Start(
            "request-reply", "--quick", "--users", "21", "--workers", "2", "--arms", "direct", "--set", "rates=100,200", "--set", "for=5s",
            "--set", "settle=0s");
        Join(2);
        return run;
    }

    private LoadTestProcess Start(string scenario, params string[] arguments) => LoadTestProcess.Start(
        _folder.Path,
        ["run", scenario, .. arguments, "--out", "record", "--join-at", $"127.0.0.1:{_port}", "--token-file", _tokenFile]);

    private void Join(int count, params string[] wrapper)
    {
        for (var i = 0; i < count; i++)
        {
            _workers.Add(LoadTestProcess.StartBehind(
                wrapper, _folder.Path, "load-worker", "--join", $"https://127.0.0.1:{_port}", "--token-file", _tokenFile));
        }
    }

    private static IEnumerable<(string Process, double Offset, double Bound)> Clocks(RunFolder record) =>
        from one in record.Events
        where one.Kind == "clock"
        let said = Said().Match(one.Detail)
        select (one.Target, Number(said.Groups[1].Value), Number(said.Groups[2].Value));

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    [GeneratedRegex("offset (\\S+) us, bound (\\S+) us")]
    private static partial Regex Said();
}
