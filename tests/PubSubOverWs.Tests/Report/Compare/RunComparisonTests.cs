using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Statistics;
using static PubSubOverWs.Tests.Report.Compare.MeasuredRun;

namespace PubSubOverWs.Tests.Report.Compare;

public sealed class RunComparisonTests
{
    // SciPy 1.10.1: ttest_ind(b, a, equal_var=False), of the nine values and of the three means; twice that by Holm, for there are two
    // levels.
    [Fact]
    public void Iterations_and_the_means_of_blocks_are_tested_unpaired_as_SciPy_does()
    {
        var row = Latency(Of(Before), Of(After)).Rows[0];
        Close.Relative(0.00014331621626838883, row.Iterations.Welch!.P, 1e-9);
        Close.Relative(2 * 0.00014331621626838883, row.Iterations.HolmP, 1e-9);
        Close.Relative(0.06909778732940403, row.BlockMeans!.Welch!.P, 1e-9);
        Assert.Equal((9, 9, 3, 3), (row.A.Count, row.B.Count, row.BlocksA, row.BlocksB));
    }

    // SciPy 1.10.1: the larger t.sf of both distances over their standard error, with Welch's degrees of freedom.
    [Fact]
    public void A_relative_and_an_absolute_margin_hold_together()
    {
        var row = Latency(Of(Before), Of(After, WithMargin("10% + 0.2ms"))).Rows[0];
        Close.Relative(2 * 0.01426800156679688, row.Iterations.EquivalenceP, 1e-9);
        Close.Relative(2 * 0.12790840841002757, row.BlockMeans!.EquivalenceP, 1e-9);
    }

    [Fact]
    public void A_difference_that_iterations_show_and_blocks_do_not_is_inconclusive()
    {
        Assert.Equal((ComparedWord.Inconclusive, "iterations and blocks disagree"), Word(Before, After));
        Assert.Equal((ComparedWord.Inconclusive, "iterations and blocks disagree"), Word(Before, After, "10% + 0.2ms"));
    }

    [Theory]
    [InlineData(2, ComparedWord.Higher)]
    [InlineData(-3, ComparedWord.Lower)]
    public void A_difference_that_both_show_has_its_direction(double by, ComparedWord word) =>
        Assert.Equal((word, null), Word(Before, Shifted(After, by)));

    [Fact]
    public void A_difference_within_the_margin_is_equivalent_even_where_it_is_clear()
    {
        double[] steady = [10.00, 10.01, 10.02, 10.00, 10.01, 10.02, 10.01, 10.00, 10.02];
        Assert.Equal((ComparedWord.Higher, null), Word(steady, Shifted(steady, 0.1)));
        Assert.Equal((ComparedWord.Equivalent, null), Word(steady, Shifted(steady, 0.1), "2%"));
        Assert.Equal((ComparedWord.Equivalent, null), Word(steady, Shifted(steady, 0.1), "200us"));
        Assert.Equal((ComparedWord.Higher, null), Word(steady, Shifted(steady, 0.1), "0.5%"));
    }

    [Fact]
    public void Without_a_margin_nothing_is_equivalent_and_that_of_B_goes_before_that_of_A()
    {
        Assert.Equal((ComparedWord.Inconclusive, "not clear"), Word(Before, Before));
        Assert.Null(Latency(Of(Before), Of(After)).Margin);
        Assert.Equal("5%", Latency(Of(Before, WithMargin("5%")), Of(After)).Margin);
        Assert.Equal("7%", Latency(Of(Before, WithMargin("5%")), Of(After, WithMargin("7%"))).Margin);
    }

    [Fact]
    public void A_value_that_is_the_same_in_every_iteration_of_both_is_equal_and_not_tested()
    {
        var row = Table(Of(Before), Of(After), "loss rate").Rows[1];
        Assert.Equal((ComparedWord.Equal, null, null), (row.Word, row.Reason, row.Iterations.Welch));
        Assert.Equal((new LossCount(0, 9000), new LossCount(0, 9000)), (row.LostA, row.LostB));
    }

    [Fact]
    public void Losses_are_counted_exactly_beside_the_test_of_rates()
    {
        var row = Table(Of(Before), Of(Before, change: row => Losing(row, row.Users == 1000 ? 3 : 0)), "loss rate").Rows[1];
        Assert.Equal((new LossCount(0, 9000), new LossCount(27, 9000)), (row.LostA, row.LostB));
        Assert.Equal(ComparedWord.Higher, row.Word);
    }

    [Fact]
    public void One_block_in_either_run_decides_nothing()
    {
        var strangers = Of(Shifted(After, 5));
        strangers = strangers with { Run = strangers.Run with { SetUp = strangers.Run.SetUp with { OwnServers = false } } };
        var row = Latency(Of(Before), strangers).Rows[0];
        Assert.Equal((ComparedWord.Inconclusive, "one block", null), (row.Word, row.Reason, row.BlockMeans));
        Assert.Equal(
            "n is below 2", Latency(Of(Before), Of(After, MeasuredRun.Scenario with { Iterations = 1, Blocks = 1 })).Rows[0].Reason);
    }

    [Fact]
    public void Percentiles_are_exploratory_without_correction_and_without_a_word()
    {
        var table = Table(Of(Before), Of(Shifted(After, 5)), "p50 of an iteration's latency");
        Assert.False(table.Primary);
        Assert.All(table.Rows, row => Assert.Equal((null, null, null), (row.Word, row.Iterations.HolmP, row.BlockMeans)));
        Assert.NotNull(table.Rows[0].Iterations.Welch);
    }

    [Fact]
    public void A_forced_comparison_says_so_first_and_compares_the_arms_and_levels_of_both()
    {
        var comparison = RunComparison.From(
            Earlier(Of(Before)), Of(After, MeasuredRun.Scenario with { Users = [1000], Arms = Relays.Named(Relays.PubSub) }));
        Assert.All(comparison.Tables, table => Assert.Equal(("pubsub", 1000), (table.Arm, Assert.Single(table.Rows).Level.Number)));
        var lines = CompareMarkdown.Write(comparison).Split('\n');
        Assert.StartsWith("**These runs should not be compared**", lines[2], StringComparison.Ordinal);
        // The levels that both have are compared.
        Assert.DoesNotContain(lines, line => line.StartsWith("- users:", StringComparison.Ordinal));
        Assert.Empty(RunComparison.From(Earlier(Of(Before)), Of(After, MeasuredRun.Scenario with { Users = [7] })).Tables);
    }

    [Fact]
    public void Two_runs_give_the_same_bytes_and_every_number_of_the_page_is_in_the_file()
    {
        var (one, other) = (RunComparison.From(Earlier(Of(Before)), Of(After)), RunComparison.From(Earlier(Of(Before)), Of(After)));
        Assert.Equal(CompareMarkdown.Write(one), CompareMarkdown.Write(other));
        Assert.Equal(CompareJson.Write(one), CompareJson.Write(other));
        Assert.Contains(
            "- direct, mean latency: B is inconclusive (iterations and blocks disagree) at 50, 1000.", CompareMarkdown.Write(one),
            StringComparison.Ordinal);
        using var json = JsonDocument.Parse(CompareJson.Write(one));
        Assert.Equal(1, json.RootElement.GetProperty("compare").GetInt32());
        Assert.Equal(12, json.RootElement.GetProperty("tables").GetArrayLength());
        var row = json.RootElement.GetProperty("tables")[2].GetProperty("rows")[0];
        Assert.Equal(
            ("inconclusive", 0.0002866324325),
            (row.GetProperty("word").GetString(), row.GetProperty("iterations").GetProperty("holmP").GetDouble()));
    }

    private static OneWayScenario WithMargin(string latency) =>
        MeasuredRun.Scenario with { Margins = new Margins(Latency: Margin.OfLatency(latency)) };

    private static (ComparedWord? Word, string? Reason) Word(double[] a, double[] b, string? margin = null)
    {
        var row = Latency(Of(a), Of(b, margin is null ? null : WithMargin(margin))).Rows[0];
        return (row.Word, row.Reason);
    }

    private static ComparedTable Latency(RunFolder a, RunFolder b) => Table(a, b, "mean latency");

    private static ComparedTable Table(RunFolder a, RunFolder b, string metric) =>
        RunComparison.From(Earlier(a), b).Tables.Single(table => table.Arm == Relays.Direct && table.Metric == metric);
}

/// <summary>Two levels, two arms, and the same mean latencies in each of them: three blocks of three iterations.</summary>
internal static class MeasuredRun
{
    /// <summary>Milliseconds; the blocks differ more than the iterations in them, as processes do.</summary>
    public static readonly double[] Before = [10.0, 10.4, 10.2, 10.6, 11.0, 10.8, 9.8, 10.2, 10.0];

    public static readonly double[] After = [10.9, 11.3, 11.1, 11.0, 11.6, 11.2, 10.8, 11.2, 11.3];

    public static OneWayScenario Scenario { get; } = new()
    { Name = "paper", Users = [50, 1000], Iterations = 9, Blocks = 3, WarmUps = 0, Floor = false };

    public static RunFolder Of(
        IReadOnlyList<double> milliseconds, OneWayScenario? scenario = null, Func<IterationRow, IterationRow>? change = null)
    {
        var run = Some.RunOf(scenario ?? Scenario);
        var trial = new Dictionary<(string Arm, int Users), int>();
        var rows = new List<IterationRow>();
        foreach (var step in run.Order)
        {
            foreach (var arm in step.Arms)
            {
                var next = trial.GetValueOrDefault((arm, step.Level.Number));
                trial[(arm, step.Level.Number)] = next + 1;
                var row = Some.Row(arm, step.Level.Number, step.Block, step.Iteration, milliseconds[next % milliseconds.Count] * 1000) with
                { Order = rows.Count + 1 };
                rows.Add(change?.Invoke(row) ?? row);
            }
        }

        return new RunFolder(run, rows, []);
    }

    public static IterationRow Losing(IterationRow row, int lost) => row with
    {
        Buckets = new Buckets
        { Attempts = row.Users, Delivered = row.Users - lost, LostUnacknowledged = lost, Causes = new CauseCounts(Deadline: lost) },
    };

    /// <summary>Nothing arrived, so there is no latency either.</summary>
    public static IterationRow Silenced(IterationRow row) =>
        Losing(row, row.Users) with { FromDue = new LatencySummary { Count = 0 }, FromSent = new LatencySummary { Count = 0 } };

    /// <summary>The run, made a day before: no two runs have one start.</summary>
    public static RunFolder Earlier(RunFolder run) => run with { Run = run.Run with { Started = run.Run.Started.AddDays(-1) } };

    public static double[] Shifted(IEnumerable<double> values, double by) => [.. values.Select(value => value + by)];
}
