using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class CompareCommandTests : IDisposable
{
    private readonly TestTerminal _terminal = new();
    private readonly RecordedRun _a = new(rows: 4, complete: true);

    [Fact]
    public async Task Differences_are_not_a_failure_and_one_table_is_on_the_terminal_and_the_whole_comparison_in_the_folder()
    {
        using var b = new RecordedRun(rows: 4, complete: true, change: RecordedRun.ADayLater);
        var output = Path.Combine(b.Folder, "new", "compared");

        Assert.Equal(0, await _terminal.RunAsync("compare", _a.Folder, b.Folder, "--out", output));

        Assert.StartsWith(
            "{\n  \"compare\": 1,\n  \"forced\": [],", await File.ReadAllTextAsync(Path.Combine(output, "compare.json")),
            StringComparison.Ordinal);
        var markdown = await File.ReadAllTextAsync(Path.Combine(output, "compare.md"));
        Assert.Contains("- pubsub, mean latency: B is equal at 1.", markdown, StringComparison.Ordinal);
        Assert.DoesNotContain(_a.Folder, markdown, StringComparison.Ordinal);
        Assert.Matches(
            @"^A  tiny, 2026-01-01 00:00:00 UTC\r?\nB  tiny, 2026-01-02 00:00:00 UTC\r?\narm +users +metric +A +B +B/A \(95 %\) +B is\r?\n"
                + @"direct +1 +loss rate, percent of attempts +0 +0 +equal",
            _terminal.Output);
    }

    [Fact]
    public async Task Where_the_columns_do_not_fit_a_metric_has_a_line_above_its_rows()
    {
        using var b = new RecordedRun(rows: 4, complete: true, change: RecordedRun.ADayLater);
        _terminal.Variables["COLUMNS"] = "50";

        Assert.Equal(0, await _terminal.RunAsync("compare", _a.Folder, b.Folder));

        Assert.Matches(@"\nloss rate, percent of attempts\r?\ndirect +1 +0 +0 +equal", _terminal.Output);
        Assert.All(_terminal.Output.Split('\n'), line => Assert.InRange(line.TrimEnd().Length, 0, 50));
    }

    [Fact]
    public async Task Runs_that_are_not_alike_are_refused_with_9_in_one_sentence_that_names_each_difference()
    {
        using var b = Other();

        Assert.Equal(9, await _terminal.RunAsync("compare", _a.Folder, b.Folder));

        Assert.Equal(
            "A and B cannot be compared (B is incomplete; queue: LocalSqs (in memory, a process of this run) in A, elsewhere in B; "
                + "cores: " + Environment.ProcessorCount
            + " in A, 99 in B): measure both with the same settings, or use --force to compare them anyway." + Environment.NewLine,
            _terminal.Error);
        Assert.Empty(_terminal.Output);
    }

    [Fact]
    public async Task A_run_is_not_compared_with_itself()
    {
        Assert.Equal(9, await _terminal.RunAsync("compare", _a.Folder, _a.Folder));

        Assert.StartsWith(
            "A and B cannot be compared (A and B are one run, started at 2026-01-01 00:00:00 UTC): ", _terminal.Error,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Unlike_runs_are_compared_when_forced_and_their_differences_come_first()
    {
        using var b = Other();

        Assert.Equal(0, await _terminal.RunAsync("compare", _a.Folder, b.Folder, "--force"));

        Assert.Contains("These runs should not be compared: B is incomplete.", _terminal.Output, StringComparison.Ordinal);
        Assert.Contains("These runs should not be compared: queue: ", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Too_few_repetitions_are_refused_with_9_and_shown_only_when_forced()
    {
        using var b = new RecordedRun(rows: 2, complete: true, change: run => RecordedRun.ADayLater(run) with { Order = [run.Order[0]] });

        Assert.Equal(9, await _terminal.RunAsync("compare", _a.Folder, b.Folder));
        Assert.Equal(
            "There are too few repetitions to compare (B has 1 iteration in 1 block of direct at 1 users; B has 1 iteration in 1 block "
                + "of pubsub at 1 users): "
            + "each run needs at least 2 blocks of servers that it starts itself, as with --iterations 10 --blocks 5; --force shows the "
            + "figures anyway." + Environment.NewLine,
            _terminal.Error);

        Assert.Equal(0, await _terminal.RunAsync("compare", _a.Folder, b.Folder, "--force"));
        Assert.Contains("inconclusive (n is below 2)", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_levels_that_both_have_are_compared_and_the_others_named()
    {
        using var b = new RecordedRun(rows: 4, complete: true, change: run => RecordedRun.ADayLater(run) with
        { Scenario = run.Scenario.OneWay() with { Users = [1, 7] } });

        Assert.Equal(0, await _terminal.RunAsync("compare", _a.Folder, b.Folder));
        Assert.Contains("Compared are the levels that both runs have; only B has 7.", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Runs_with_nothing_in_common_are_refused_with_9_even_when_forced()
    {
        using var b = new RecordedRun(rows: 4, complete: true, change: run => run with
        { Scenario = run.Scenario.OneWay() with { Users = [7] } });

        Assert.Equal(9, await _terminal.RunAsync("compare", _a.Folder, b.Folder, "--force"));
        Assert.StartsWith("A and B have no arm and level in common", _terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_damaged_folder_and_an_output_that_cannot_be_written_are_5()
    {
        using var b = new RecordedRun(rows: 4, complete: true, change: RecordedRun.ADayLater);
        Assert.Equal(5, await _terminal.RunAsync("compare", _a.Folder, Path.Combine(_a.Folder, "nowhere")));
        Assert.StartsWith("There is no folder ", _terminal.Error, StringComparison.Ordinal);

        Assert.Equal(5, await _terminal.RunAsync("compare", _a.Folder, b.Folder, "--out", RecordFiles.Run(_a.Folder)));
        Assert.Contains("--out '", _terminal.Error, StringComparison.Ordinal);
    }

    public void Dispose() => _a.Dispose();

    private static RecordedRun Other() => new(
        rows: 4,
        change: run =>
            RecordedRun.ADayLater(run) with { SetUp = run.SetUp with { Queue = "elsewhere" }, Machine = run.Machine with { Cores = 99 } });
}
