using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report.Results;
using PubSubOverWs.Tests.Report.Compare;

namespace PubSubOverWs.Tests.Report.Results;

public sealed class RunSummaryTests
{
    private static readonly RunFolder Run = MeasuredRun.Of(MeasuredRun.Before);

    [Fact]
    public void Each_arm_at_each_level_has_a_row_and_those_compared_have_their_ratio()
    {
        var summary = RunSummary.Of(Run);

        Assert.Equal(
            [(50, Relays.Direct), (50, Relays.PubSub), (1000, Relays.Direct), (1000, Relays.PubSub)],
            summary.Rows.Select(row => (row.Level.Number, row.Arm)));
        Assert.All(summary.Rows, row => Assert.Equal((9, (double?)0), (row.Iterations, row.Loss)));
        Assert.All(summary.Rows, row => Assert.Equal(MeasuredRun.Before.Average(), row.Mean!.Value, 1e-9));
        Assert.Equal([null, 1.0, null, 1.0], summary.Rows.Select(row => row.Ratio));
        var lines = summary.Table().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Matches("^users  arm     n  loss %  mean ms  p50  p99 +ratio \\(95 %\\)$", lines[0]);
        Assert.Matches(@"^   50  pubsub  9       0     10\.3    –    – +1\.00 \(", lines[2]);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void What_it_means_is_one_sentence_that_says_what_may_not_be_concluded() => Assert.Equal(
        "Nothing was lost, pubsub's mean latency was 1.00 times direct's; with n = 9 in 3 blocks differences are shown and not judged.",
        RunSummary.Of(Run).Meaning);

    [Fact]
    public void Losses_are_told_by_arm() => Assert.StartsWith(
        "Direct lost 10.0 %, pubsub lost nothing, ",
        RunSummary.Of(MeasuredRun.Of(
            MeasuredRun.Before, change: row => row.Arm == Relays.Direct ? MeasuredRun.Losing(row, row.Users / 10) : row)).Meaning,
        StringComparison.Ordinal);

    [Fact]
    public void Nothing_is_concluded_from_a_run_that_is_invalid_empty_or_not_complete()
    {
        Assert.Equal("Nothing was measured.", RunSummary.Of(Run with { Rows = [] }).Meaning);
        Assert.Equal("", RunSummary.Of(Run with { Rows = [] }).Table());
        Assert.Equal(
            "The run is invalid, and nothing may be concluded from it.",
            RunSummary.Of(Run with { Run = Run.Run with { Checks = Run.Run.Checks with { ServersAlive = false } } }).Meaning);
        Assert.EndsWith(
            "; the run is not complete, and this is what it measured so far.",
            RunSummary.Of(Run with { Run = Run.Run with { Complete = false } }).Meaning, StringComparison.Ordinal);
    }

    [Fact]
    public void In_a_list_a_run_is_its_size_losses_ratio_and_verdict()
    {
        var entry = RecordEntry.Of("there", Run with { Run = Run.Run with { Label = "first" } });

        Assert.Equal(
            ("paper (first)", "9", "0 / 0", "– / –", "1.00", "not judged (quick)"),
            (entry.Scenario, entry.Size, entry.Loss, entry.P50, entry.Ratio, entry.Verdict));
    }
}
