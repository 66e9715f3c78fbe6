using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>The output of the program, byte for byte: a change here is a change of behaviour.</summary>
public sealed class PinnedOutputTests : IDisposable
{
    private const string Burst = CommittedRuns.Burst;
    private const string Spread = "results/paper/2026-11-29T15-47-33Z-spread";
    private const string SpreadAgain = "results/paper/2026-11-29T16-47-36Z-spread";

    private static readonly string[] BurstGates =
    [
        "pubsub.loss == 0", "direct.loss <= 1%", "pubsub.guarantee-loss == 0", "pubsub.late < 0.5%", "direct.duplicates == 0",
        "pubsub.corrupted == 0",
        "direct.latency.mean < 1ms", "pubsub.latency.mean / direct.latency.mean < 8", "warn: pubsub.latency.p50 < 2ms",
        "direct.latency.p90 > 50ms",
        "pubsub.latency.p99 <= 10s", "direct.latency.max < 2s", "pubsub.bytes / direct.bytes <= 1.01",
    ];

    private static readonly string[] BaselineGates =
    [
        "pubsub.loss <= baseline", "direct.loss <= baseline", "pubsub.guarantee-loss <= baseline", "direct.late <= baseline + 1%",
        "pubsub.bytes <= baseline * 1.01", "pubsub.latency.mean <= baseline * 1.5 + 2ms", "warn: direct.latency.p99 <= baseline * 1.1",
    ];

    private static readonly string[] DryRuns =
    [
        "smoke", "paper", "paper --quick", "paper --aa direct", "paper --queue-latency aws",
        "paper --pubsub-nodes 3 --users 10,100 --iterations 4 --blocks 2",
        "paper --users 1000 --arrival spread:2s --receipts --arms direct,direct+buffer,pubsub",
        "paper --direct http://127.0.0.1:1 --pubsub http://127.0.0.1:2",
        "faults --fault none", "faults --fault churn", "faults --fault restart", "faults --fault restart-term", "faults --fault overload",
        "faults --fault overload-restart", "faults --fault small-host", "faults --fault connect-storm", "faults --fault bad-network",
        "faults --fault queue-down", "faults --fault queue-killed", "faults --fault slow-consumer",
        "faults --fault restart --quick --seed 7", "nodes", "nodes --quick",
    ];

    private static readonly string[] Commands =
    [
        "run", "run fan-out", "report", "compare", "results", "open", "validate", "cite", "init", "paper", "doctor", "queues",
            "queues list",
        "queues clean", "version",
    ];

    private readonly TestTerminal _terminal = new();
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public async Task Two_committed_runs_compare_as_before()
    {
        Assert.Equal(0, await _terminal.RunAsync("compare", InTree(Burst), InTree(Spread), "--force", "--out", _folder.Of("compared")));

        Golden.Same("compare.golden.txt", await File.ReadAllTextAsync(Path.Combine(_folder.Of("compared"), "compare.md")));
    }

    [Fact]
    public async Task Gates_on_committed_runs_decide_as_before()
    {
        var said = await GatesAsync(Burst, BurstGates) + await GatesAsync(Spread, BaselineGates, "--baseline", InTree(SpreadAgain));

        Golden.Same("gates.golden.txt", said);
    }

    [Fact]
    public async Task Dry_runs_print_the_same_plan_as_before()
    {
        foreach (var run in DryRuns)
        {
            await _terminal.Terminal.Output.WriteLineAsync($"$ run {run} --dry-run");
            var code = await _terminal.RunAsync(
                $"run {run} --dry-run{(run.EndsWith("small-host", StringComparison.Ordinal) ? "" : " --no-pin")} --out record");
            Assert.True(code == 0, _terminal.Error);
        }

        Golden.Same(
            "dry-runs.golden.txt",
            _terminal.Output.ReplaceLineEndings("\n").Replace(Environment.CurrentDirectory, ".", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Help_prints_the_same_text_as_before()
    {
        foreach (var command in Commands)
            Assert.Equal(0, await _terminal.RunAsync($"{command} --help"));

        Golden.Same(
            "help.golden.txt",
            _terminal.Output.ReplaceLineEndings("\n").Replace(string.Join(", ", ScenarioFiles.Names), "SCENARIOS", StringComparison.Ordinal)
                .Replace(string.Join(", ", FaultProfiles.Names), "FAULTS", StringComparison.Ordinal));
    }

    public void Dispose() => _folder.Dispose();

    private static string InTree(string folder) => Path.Combine(SourceTree.Root, folder);

    /// <summary>The lines of <c>report</c> about gates. On a copy, because the command rewrites the reports.</summary>
    private async Task<string> GatesAsync(string folder, string[] gates, params string[] options)
    {
        var copy = _folder.Of(Path.GetFileName(folder));
        CommittedRuns.Copy(folder, copy);
        var terminal = new TestTerminal();
        var code = await terminal.RunAsync(["report", copy, .. gates.SelectMany(gate => new[] { "--gate", gate }), .. options]);
        var lines = terminal.Output.ReplaceLineEndings("\n").Split('\n').Where(line => line.StartsWith("gate ", StringComparison.Ordinal));
        return $"$ report {Path.GetFileName(folder)}\n{string.Join('\n', lines)}\nexit code {code}{terminal.Error}\n";
    }
}
