using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report.Results;
using PubSubOverWs.Report.Standard;
using PubSubOverWs.Tests.Report.Compare;

namespace PubSubOverWs.Tests.Report.Results;

public sealed class RunSummaryTests
{
    private static readonly RunFolder Run = MeasuredRun.Of(MeasuredRun.Before);

    [Fact]
    public void Each_arm_at_each_level_has_a_row_and_those_compared_have_their_ratio()
    {
        var summary = RunSummary.From(Run);

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
        RunSummary.From(Run).Meaning);

    [Fact]
    public void Losses_are_told_by_arm() => Assert.StartsWith(
        "Direct lost 10.0 %, pubsub lost nothing, ",
        RunSummary.From(MeasuredRun.Of(
            MeasuredRun.Before, change: row => row.Arm == Relays.Direct ? MeasuredRun.Losing(row, row.Users / 10) : row)).Meaning,
        StringComparison.Ordinal);

    [Fact]
    public void Nothing_is_concluded_from_a_run_that_is_invalid_empty_or_not_complete()
    {
        Assert.Equal("Nothing was measured.", RunSummary.From(Run with { Rows = [] }).Meaning);
        Assert.Equal("", RunSummary.From(Run with { Rows = [] }).Table());
        Assert.Equal(
            "The run is invalid, and nothing may be concluded from it.",
            RunSummary.From(Run with { Run = Run.Run with { Checks = Run.Run.Checks with { ServersAlive = false } } }).Meaning);
        Assert.EndsWith(
            "; the run is not complete, and this is what it measured so far.",
            RunSummary.From(Run with { Run = Run.Run with { Complete = false } }).Meaning, StringComparison.Ordinal);
    }

    [Fact]
    public void In_a_list_a_run_is_its_size_losses_ratio_and_verdict()
    {
        var entry = RecordEntry.From("there", Run with { Run = Run.Run with { Label = "first" } });

        Assert.Equal(
            ("paper (first)", "9", "0 / 0", "– / –", "1.00", "not judged (quick)"),
            (entry.Scenario, entry.Size, entry.Loss, entry.P50, entry.Ratio, entry.Verdict));
    }
}

public sealed class RecordFoldersTests
{
    private const string Folder = "results/faults/2026-11-29T22-18-07Z-overload-restart";

    private static readonly IReadOnlyList<RecordEntry> Entries = TestFamily.Told(
    [
        new(Folder, new DateTimeOffset(2026, 11, 29, 22, 18, 7, TimeSpan.Zero))
        {
            Scenario = "faults (overload-restart)",
            Size = "10",
            Loss = "37.8 / 7.42 / 0.0080",
            P50 = "0.7140 / 1634 / 1683",
            Ratio = "45.9 to 52.2",
            Verdict = "valid",
            Tests = [new LessLoss(LessLossWord.Holds, "") { P = 0.00001 }.ForList()],
        },
    ]);

    [Theory]
    [InlineData(240)]
    [InlineData(100)]
    [InlineData(80)]
    [InlineData(60)]
    [InlineData(40)]
    public void The_table_is_as_wide_as_the_terminal_and_a_folder_can_be_copied(int width)
    {
        var table = RecordFolders.Table(Entries, width);

        Assert.All(Lines(table).Where(line => !line.Contains(Folder)).SkipLast(1), line => Assert.InRange(line.Length, 1, width));
        Assert.Contains(Folder, table, StringComparison.Ordinal);
        Assert.Contains("holds", table, StringComparison.Ordinal);
        Assert.EndsWith("by Hochberg's correction over the 1 record of this list that could be tested\n", table, StringComparison.Ordinal);
    }

    [Fact]
    public void A_wide_terminal_has_a_line_for_each_record_and_a_narrow_one_fewer_columns()
    {
        Assert.Matches(@"^ +time \(UTC\)  scenario ", RecordFolders.Table(Entries, 240));
        Assert.Equal(3, Lines(RecordFolders.Table(Entries, 240)).Length);
        Assert.Matches("^scenario +n +loss % +p50 ms +ratio +verdict\n", RecordFolders.Table(Entries, 100));
        Assert.DoesNotContain("p50", RecordFolders.Table(Entries, 40), StringComparison.Ordinal);
    }

    private static string[] Lines(string table) => table.Split('\n', StringSplitOptions.RemoveEmptyEntries);
}

public sealed class TestFamilyTests
{
    // R: p.adjust(c(0.03, 0.004, 0.028, 0.8), "hochberg") is 0.06 0.016 0.06 0.8; by Holm the third would be 0.084.
    [Fact]
    public void Hochbergs_correction_is_over_the_tested_runs_and_removes_chance_findings()
    {
        var adjusted = TestFamily.Adjust(
            [Row(LessLossWord.Holds, 0.03), Row(LessLossWord.NotTestable, null), Row(LessLossWord.Holds, 0.004),
                Row(LessLossWord.Reversed, 0.028), Row(LessLossWord.NotShown, 0.8)]);
        Assert.Equal(
            ["not shown", null, "holds", "not shown", "not shown"],
            adjusted.Select(row => row?.Word));
        Assert.Equal([0.06, null, 0.016, 0.06, 0.8], adjusted.Select(row => row is { } one ? Math.Round(one.P, 12) : (double?)null));
    }

    [Fact]
    public void A_run_whose_arms_are_alike_stays_alike_and_is_one_of_the_tests()
    {
        var adjusted = TestFamily.Adjust([Row(LessLossWord.Alike, 0.04), Row(LessLossWord.Holds, 0.03)]);
        Assert.Equal(
            [(0.04, "alike"), (0.04, "holds")],
            adjusted.Select(row => (Math.Round(row!.Value.P, 12), row.Value.Word)));
    }

    [Fact]
    public void A_list_of_runs_shows_the_corrected_word_of_each_run_under_a_fault()
    {
        RecordEntry[] entries =
        [
            new("a", null) { Verdict = "valid", Tests = [Row(LessLossWord.Holds, 0.03)] },
            new("b", null) { Verdict = "valid" },
            new("c", null) { Verdict = "valid", Tests = [Row(LessLossWord.NotTestable, null)] },
            new("d", null) { Verdict = "valid", Tests = [Row(LessLossWord.Holds, 0.00001)] },
            new("e", null) { Verdict = "valid", Tests = [Row(LessLossWord.NotJudged, null)] },
        ];
        Assert.Equal(
            [
                "Pubsub loses less (H1b): holds (p = 0.0300 by Hochberg over the 2 that were tested)",
                "valid",
                "Pubsub loses less (H1b): not testable",
                "Pubsub loses less (H1b): holds (p = 2.00e-5 by Hochberg over the 2 that were tested)",
                "Pubsub loses less (H1b): not judged (quick)",
            ],
            TestFamily.Told(entries).Select(entry => entry.Verdict));
    }

    private static ListedTest Row(LessLossWord word, double? p) => new LessLoss(word, "") { P = p }.ForList();
}
