using PubSubOverWs.Tests.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class BaselineOptionTests : IDisposable
{
    private readonly TestTerminal _terminal = new();
    private readonly RecordedRun _baseline = new(rows: 4, complete: true);
    private readonly RecordedRun _run = new(rows: 4, complete: true, change: RecordedRun.ADayLater);

    [Theory]
    [InlineData("pubsub.latency.mean <= baseline * 1.10 + 2ms", 0, "passed, 1 ms of at most 3.1 ms at 1 users")]
    [InlineData("pubsub.latency.mean <= baseline * 0.5", 2, "failed, 1 ms of at most 0.5 ms at 1 users (p 0 after Holm)")]
    [InlineData("warn: pubsub.latency.mean <= baseline * 0.5", 0, "warning, 1 ms of at most 0.5 ms at 1 users (p 0 after Holm)")]
    [InlineData("pubsub.loss <= baseline", 0, "passed, 0 of 2 messages lost, in the baseline 0 of 2, at 1 users")]
    public async Task A_gate_that_names_the_baseline_is_compared_with_it(string gate, int code, string found)
    {
        Assert.Equal(code, await _terminal.RunAsync("report", _run.Folder, "--baseline", _baseline.Folder, "--gate", gate));

        Assert.Contains($"gate       {gate}: {found}", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_comparable_baseline_the_exit_code_is_9_and_the_report_is_made()
    {
        Assert.Equal(9, await _terminal.RunAsync("report", _run.Folder, "--gate", "pubsub.loss <= baseline"));
        Assert.Contains("undecided, because no baseline was given.", _terminal.Output, StringComparison.Ordinal);

        using var cut = new RecordedRun(rows: 2);
        Assert.Equal(9, await _terminal.RunAsync("report", _run.Folder, "--gate", "pubsub.loss <= baseline", "--baseline", cut.Folder));
        Assert.Contains("(the baseline is incomplete)", _terminal.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(_run.Folder, "report.md")));
    }

    [Fact]
    public async Task A_run_is_not_its_own_baseline()
    {
        Assert.Equal(9, await _terminal.RunAsync("report", _run.Folder, "--gate", "pubsub.loss <= baseline", "--baseline", _run.Folder));
        Assert.Contains(
            "(the baseline and this run are one run, started at 2026-01-02 00:00:00 UTC)", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_baseline_that_no_gate_names_and_one_that_is_not_there_are_refused()
    {
        Assert.Equal(5, await _terminal.RunAsync("report", _run.Folder, "--baseline", _baseline.Folder, "--gate", "pubsub.loss == 0"));
        Assert.StartsWith("--baseline has no effect without a gate that names it", _terminal.Error, StringComparison.Ordinal);

        Assert.Equal(5, await _terminal.RunAsync(
            "report", _run.Folder, "--baseline", Path.Combine(_run.Folder, "nowhere"), "--gate", "pubsub.loss <= baseline"));
        Assert.Contains("There is no folder ", _terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_run_that_could_not_be_compared_with_its_baseline_is_refused_before_it_starts()
    {
        Assert.Equal(9, await _terminal.RunAsync(
            "run", "smoke", "--dry-run", "--no-pin", "--baseline", _baseline.Folder, "--gate", "pubsub.loss <= baseline"));

        Assert.StartsWith(
            "This run could not be compared with its baseline (name: tiny in the baseline, smoke in this run; users: [1] in the baseline, "
                + "[50,100] in this run; warmUps: 0 in the baseline, 1 in this run; ",
            _terminal.Error,
            StringComparison.Ordinal);
        Assert.Empty(_terminal.Output);
    }

    public void Dispose()
    {
        _baseline.Dispose();
        _run.Dispose();
    }
}
