using System.Text.Json;
using System.Text.RegularExpressions;
using MathNet.Numerics.Distributions;
using PubSubOverWs.Record;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Compare;
using PubSubOverWs.Tests.Report.Statistics;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Report.Gates;

public sealed class BaselineGateTests
{
    private static readonly RunFolder Baseline = MeasuredRun.Of(MeasuredRun.Before);

    [Theory]
    [InlineData("pubsub.latency.p99 <= baseline * 1.10 + 2ms", 1.1, 2_000)]
    [InlineData("direct.latency.mean<=baseline*1.5", 1.5, 0)]
    [InlineData("warn: pubsub.latency.p50 <= baseline + 500us", 1, 500)]
    [InlineData("direct.latency.mean <= baseline * 0.9", 0.9, 0)]
    [InlineData("direct.bytes <= baseline * 1.004 + 1", 1.004, 1)]
    [InlineData("pubsub.loss <= baseline", 1, 0)]
    [InlineData("pubsub.late <= baseline + 0.1%", 1, 0.001)]
    [InlineData("pubsub.guarantee-loss <= baseline + 0", 1, 0)]
    public void A_limit_is_the_baselines_value_times_a_factor_and_something_more(string text, double factor, double added)
    {
        var gate = Some.Gate(text);
        Assert.Equal(((decimal?)factor, (decimal)added, "<="), (gate.BaselineFactor, gate.Limit, gate.Operator));
        Assert.Matches(SchemaPattern(), text);
    }

    [Theory]
    [InlineData("pubsub.latency.mean <= baseline", "leaves no margin")]
    [InlineData("direct.bytes <= baseline * 1.0", "leaves no margin")]
    [InlineData("pubsub.latency.mean < baseline * 1.1", "cannot be compared with a baseline")]
    [InlineData(
        "pubsub.latency.max <= baseline * 1.1",
        "after one of X.loss, X.guarantee-loss, X.late, X.latency.mean, X.latency.p50, X.latency.p90, X.latency.p99, X.bytes.")]
    [InlineData("pubsub.duplicates <= baseline", "cannot be compared with a baseline")]
    [InlineData("pubsub.latency.mean / direct.latency.mean <= baseline * 1.1", "cannot be compared with a baseline")]
    [InlineData("pubsub.latency.mean <= baseline * 0 + 1ms", "not above 0")]
    [InlineData("pubsub.latency.mean <= baseline * 101", "not above 0 and at most 100")]
    [InlineData("pubsub.latency.mean <= baseline * 1.1 + 2", "needs a time")]
    [InlineData("pubsub.loss <= baseline + 1", "needs a percentage")]
    [InlineData("pubsub.loss <= baseline - 1%", "cannot be read")]
    [InlineData("pubsub.loss <= 2 * baseline", "cannot be read")]
    public void Any_other_gate_on_a_baseline_is_refused_with_the_expected_form(string text, string named) =>
        Assert.Contains(named, Assert.Throws<GateException>(() => Some.Gate(text)).Message, StringComparison.Ordinal);

    // SciPy 1.10.1: ttest_ind(b, factor * a + added, equal_var=False), alternative='greater' and 'less'.
    [Theory]
    [InlineData(1.05, 0.2, 0.2622558894747584, 0.7377441105252416)]
    [InlineData(1.02, 0.1, 0.0030793704438973426, 0.9969206295561027)]
    [InlineData(1.1, 0.2, 0.985255393172991, 0.014744606827009014)]
    public void Both_sides_of_the_limit_are_tested_as_SciPy_does(double factor, double added, double above, double below)
    {
        var test = OneSided.Compute(Moments.Compute(MeasuredRun.Before).Scaled(factor, added), Moments.Compute(MeasuredRun.After));
        Close.Relative(above, test.Above, 1e-9);
        Close.Relative(below, test.Below, 1e-9);
        Assert.Equal(below < 0.05, test.Excess.High < 0);
        Assert.Equal(above < 0.05, test.Excess.Low > 0);
    }

    [Fact]
    public void A_value_that_is_shown_to_be_below_the_limit_passes()
    {
        var result = Check(Baseline, "direct.latency.mean <= baseline * 1.15 + 1ms");
        Assert.Equal(Outcome.Passed, result.Outcome);
        Assert.Equal(
            "direct.latency.mean <= baseline * 1.15 + 1ms: passed, 10.333 ms of at most 12.883 ms at 50 users, 10.333 ms of at most "
                + "12.883 ms at 1000 users.", result.Sentence);
        Assert.Equal(ExitCode.Success, result.Code);
    }

    [Fact]
    public void A_value_that_is_shown_to_be_above_the_limit_fails_with_2()
    {
        var result = Check(MeasuredRun.Of(MeasuredRun.Shifted(MeasuredRun.After, 3)), "direct.latency.mean <= baseline * 1.05");
        Assert.Equal((Outcome.Failed, ExitCode.GateFailed), (result.Outcome, result.Code));
        // Welch on the means of blocks, twice for two levels: 0.004214; on iterations it is 4e-11.
        Assert.Contains(
            "failed, 14.156 ms of at most 10.85 ms at 50 users (p 0.0042 after Holm)", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void A_value_that_cannot_be_told_from_the_limit_is_undecided_and_ends_with_9()
    {
        var result = Check(MeasuredRun.Of(MeasuredRun.After), "direct.latency.mean <= baseline * 1.05 + 0.2ms");
        Assert.Equal((Outcome.Undecided, ExitCode.NotComparable), (result.Outcome, result.Code));
        Assert.Contains(
            ": undecided, because there are too few repetitions to tell: 11.156 ms of at most 11.05 ms at 50 users (-0.181 ms to +0.392 "
                + "ms from it, at 90 %)", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void A_gate_that_iterations_decide_and_blocks_do_not_is_undecided_either_way()
    {
        foreach (var gate in new[] { "direct.latency.mean <= baseline * 1.02 + 0.1ms", "direct.latency.mean <= baseline * 1.1 + 0.2ms" })
        {
            var result = Check(MeasuredRun.Of(MeasuredRun.After), gate);
            Assert.Equal(Outcome.Undecided, result.Outcome);
            Assert.Contains("(iterations and blocks disagree)", result.Sentence, StringComparison.Ordinal);
        }
    }

    // SciPy 1.10.1: ttest_ind(b + 0.6, 1.02 * a, equal_var=False, alternative='greater') of the means of blocks is 0.0165: significant
    // among two tests, not among four.
    [Fact]
    public void The_correction_is_over_all_gates_on_the_baseline_and_all_levels_and_a_repeated_gate_counts_once()
    {
        var now = MeasuredRun.Of(MeasuredRun.Shifted(MeasuredRun.After, 0.6));
        const string Gate = "direct.latency.mean <= baseline * 1.02";
        Assert.Equal(Outcome.Failed, Check(now, Gate).Outcome);
        Assert.All(CheckAll(now, Gate, Gate), result => Assert.False(result.Undecided));
        var others = Enumerable.Range(2, 8).Select(i => $"pubsub.latency.mean <= baseline * {i}");
        var results = CheckAll(now, [Gate, .. others]);
        Assert.True(results[0].Undecided);
        Assert.All(results.Skip(1), result => Assert.True(result.Passed));
    }

    [Theory]
    [InlineData(0, 0, "pubsub.loss <= baseline", true)]
    [InlineData(3, 3, "pubsub.loss <= baseline", true)]
    [InlineData(3, 4, "pubsub.loss <= baseline", false)]
    [InlineData(3, 4, "pubsub.loss <= baseline + 0.1%", true)]
    [InlineData(2, 4, "pubsub.loss <= baseline * 2", true)]
    [InlineData(2, 5, "pubsub.loss <= baseline * 2", false)]
    [InlineData(0, 1, "pubsub.loss <= baseline * 2", false)]
    public void Losses_are_counted_and_not_tested(int before, int after, string gate, bool passed)
    {
        RunFolder Losing(int lost) =>
            MeasuredRun.Of([10], change: row => MeasuredRun.Losing(row, row is { Users: 1000, Arm: Relays.PubSub } ? lost : 0));
        var result = Check(Losing(after), gate, Losing(before));
        Assert.Equal(passed ? Outcome.Passed : Outcome.Failed, result.Outcome);
        Assert.Contains(
            $"{9 * after} of 9000 messages lost, in the baseline {9 * before} of 9000, at 1000 users", result.Sentence,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Losses_are_rates_so_that_runs_of_different_lengths_can_be_compared()
    {
        RunFolder Losing(int iterations, int lost) => MeasuredRun.Of(
            [10], MeasuredRun.Scenario with { Iterations = iterations, Blocks = 1 },
            row => MeasuredRun.Losing(row, row.Arm == Relays.PubSub ? lost : 0));
        Assert.Equal(Outcome.Passed, Check(Losing(9, 3), "pubsub.loss <= baseline", Losing(3, 3)).Outcome);
    }

    [Fact]
    public void One_block_is_too_few_for_a_metric_that_varies()
    {
        var once = MeasuredRun.Of(MeasuredRun.Before, MeasuredRun.Scenario with { Blocks = 1 });
        var result = Check(once, "direct.latency.mean <= baseline * 3");
        Assert.Equal((Outcome.Undecided, ExitCode.NotComparable), (result.Outcome, result.Code));
        Assert.Contains("(blocks: 1, in the baseline 3; both need 2)", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void No_gate_passes_without_a_baseline_or_with_an_unlike_or_worthless_one()
    {
        const string Gate = "pubsub.loss <= baseline";
        Assert.Contains(
            "undecided, because no baseline was given.", Sentence(Assert.Single(GateCheck.Check(Baseline, [Parsed(Gate)]))),
            StringComparison.Ordinal);
        Assert.Contains(
            "because the baseline cannot be compared (payloadBytes: 200 in the baseline, 100 in this run)",
            Undecided(Baseline with { Run = Baseline.Run with { Scenario = Baseline.Run.Scenario with { PayloadBytes = 200 } } }, Gate),
            StringComparison.Ordinal);
        Assert.Contains(
            "(the baseline is incomplete)", Undecided(Baseline with { Run = Baseline.Run with { Complete = false } }, Gate),
            StringComparison.Ordinal);
        Assert.Contains(
            "(the baseline is invalid (queue drained at the end))",
            Undecided(MeasuredRun.Of([10], change: row => row with { DrainState = DrainState.Failed }), Gate), StringComparison.Ordinal);
        Assert.Contains(
            ": undecided, because the baseline has no measured iteration at 1000 users.",
            Undecided(Baseline with { Rows = [.. Baseline.Rows.Where(row => row.Users == 50)] }, Gate), StringComparison.Ordinal);
        Assert.Contains(
            ": undecided, because the baseline has no bytes at 50 users: the server did not report bytes",
            Undecided(MeasuredRun.Of([10], change: row => row with { ClientBytes = null }), "direct.bytes <= baseline * 1.1"),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Each_reason_for_which_a_level_is_undecided_stands_before_its_own_levels()
    {
        var halved = MeasuredRun.Of(MeasuredRun.Before, change: row => row.Users == 50 ? row with { ClientBytes = null } : row);
        var strangers = halved with { Run = halved.Run with { SetUp = halved.Run.SetUp with { OwnServers = false } } };
        var now = Baseline with { Run = Baseline.Run with { SetUp = strangers.Run.SetUp } };
        Assert.EndsWith(
            ": undecided, because the baseline has no bytes at 50 users: the server did not report bytes, or an iteration delivered nothing"
            + "; there are too few repetitions to tell: 254 of at most 381 at 1000 users (blocks: 1, in the baseline 1; both need 2).",
            Check(now, "direct.bytes <= baseline * 1.5", strangers).Sentence);
    }

    [Fact]
    public void A_run_is_not_its_own_baseline()
    {
        var result = Assert.Single(GateCheck.Check(Baseline, [Parsed("pubsub.loss <= baseline")], Baseline));
        Assert.Contains(
            "because the baseline cannot be compared (the baseline and this run are one run, started at 2026-01-02 03:04:05 UTC).",
            Sentence(result), StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_that_is_itself_worthless_or_has_no_such_value_fails()
    {
        Assert.Equal(
            Outcome.Failed, Check(Baseline with { Run = Baseline.Run with { Complete = false } }, "pubsub.loss <= baseline").Outcome);
        Assert.Equal(
            Outcome.Failed,
            Check(MeasuredRun.Of([10], change: row => row with { DrainState = DrainState.Failed }), "pubsub.loss <= baseline").Outcome);
        Assert.Contains(
            "direct has no latency.p99 at 50 users", Check(Baseline, "direct.latency.p99 <= baseline * 2").Sentence,
            StringComparison.Ordinal);
        Assert.Equal(Outcome.Failed, Check(Baseline, "direct.latency.p99 <= baseline * 2").Outcome);
    }

    [Theory]
    [InlineData("direct.latency.mean <= baseline * 1.5", "direct has no latency.mean at 50 users: an iteration delivered nothing")]
    [InlineData(
        "direct.bytes <= baseline * 1.5",
        "direct has no bytes at 50 users: the server did not report bytes, or an iteration delivered nothing")]
    public void Survivors_do_not_speak_for_an_iteration_that_delivered_nothing(string gate, string found)
    {
        var silenced = MeasuredRun.Of(MeasuredRun.Before, change: row => row is { Users: 50, Block: 1 } ? MeasuredRun.Silenced(row) : row);
        var result = Check(silenced, gate);
        Assert.Equal(Outcome.Failed, result.Outcome);
        Assert.Contains(found, result.Sentence, StringComparison.Ordinal);
        Assert.Contains(
            found.Replace("direct", "the baseline", StringComparison.Ordinal), Undecided(silenced, gate), StringComparison.Ordinal);
    }

    [Fact]
    public void A_failed_gate_goes_before_an_undecided_one_and_warnings_change_no_exit_code()
    {
        Assert.Equal(ExitCode.GateFailed, CodeOf("direct.latency.mean <= baseline * 1.05 + 0.2ms", "pubsub.loss > 0"));
        Assert.Equal(ExitCode.Success, CodeOf("warn: direct.latency.mean <= baseline * 1.05 + 0.2ms"));
        Assert.Contains(
            "warning, undecided, because",
            Check(MeasuredRun.Of(MeasuredRun.After), "warn: direct.latency.mean <= baseline * 1.05 + 0.2ms").Sentence,
            StringComparison.Ordinal);

        static ExitCode CodeOf(params string[] gates)
        {
            var now = MeasuredRun.Of(MeasuredRun.After);
            return GateCheck.ExitCodeOf(now, GateCheck.Check(now, gates.Select(Some.Gate), MeasuredRun.Earlier(Baseline)));
        }
    }

    [Fact]
    public void An_undecided_gate_is_a_failure_in_JUnit_and_undecided_in_the_summary()
    {
        var now = MeasuredRun.Of(MeasuredRun.After);
        var results = GateCheck.Check(now, [Parsed("direct.latency.mean <= baseline * 1.05 + 0.2ms")], MeasuredRun.Earlier(Baseline));
        Assert.Contains(
            "<failure message=\"direct.latency.mean &lt;= baseline * 1.05 + 0.2ms: undecided, because",
            GateJUnit.Write("paper", [], results), StringComparison.Ordinal);
        Assert.Contains(
            "| **undecided** | `direct.latency.mean <= baseline", GateSummary.Markdown("paper", [], results), StringComparison.Ordinal);
        Assert.StartsWith(
            "::error title=Gate::direct.latency.mean", Assert.Single(GateSummary.Annotations([], results)), StringComparison.Ordinal);
    }

    private enum Outcome
    {
        Passed,
        Failed,
        Undecided,
    }

    private static (Outcome Outcome, string Sentence, ExitCode Code) Check(RunFolder now, string gate, RunFolder? baseline = null)
    {
        var result = Assert.Single(GateCheck.Check(now, [Parsed(gate)], MeasuredRun.Earlier(baseline ?? Baseline)));
        Assert.False(result.Passed && result.Undecided);
        return (result.Undecided ? Outcome.Undecided : result.Passed ? Outcome.Passed : Outcome.Failed, result.Sentence,
            GateCheck.ExitCodeOf(now, [result]));
    }

    private static IReadOnlyList<GateResult> CheckAll(RunFolder now, params string[] gates) =>
        GateCheck.Check(now, gates.Select(Some.Gate), MeasuredRun.Earlier(Baseline));

    private static string Undecided(RunFolder baseline, string gate)
    {
        var result = Check(Baseline, gate, baseline);
        Assert.Equal((Outcome.Undecided, ExitCode.NotComparable), (result.Outcome, result.Code));
        return result.Sentence;
    }

    private static string Sentence(GateResult result)
    {
        Assert.True(result.Undecided);
        return result.Sentence;
    }

    private static Gate Parsed(string text) => Some.Gate(text);

    private static Regex SchemaPattern()
    {
        using var schema = JsonDocument.Parse(SourceTree.Read("docs/scenario.schema.json"));
        return new Regex(
            schema.RootElement.GetProperty("properties").GetProperty("gates").GetProperty("items").GetProperty("pattern").GetString()!);
    }
}

/// <summary>
/// How often a gate is wrong where blocks differ as much as the iterations in them: two runs of five blocks of three, drawn again and
/// again.
/// </summary>
public sealed class BaselineSimulationTests
{
    private const int Draws = 4_000;
    private const double Alpha = 0.05;

    // 5 % of 4,000 draws, and three standard deviations of a binomial.
    private static readonly double Most = (Alpha * Draws) + (3 * Math.Sqrt(Alpha * (1 - Alpha) * Draws));

    [Fact]
    public void Exactly_on_its_limit_a_gate_fails_and_passes_in_at_most_5_of_100_cases_each_and_iterations_alone_in_many_more()
    {
        var random = new Random(2015);
        var (failed, passed, byIterationsAlone) = (0, 0, 0);
        for (var i = 0; i < Draws; i++)
        {
            var (before, after) = (Sample(random, 100), Sample(random, 110));
            var iterations = OneSided.Compute(before.Iterations.Scaled(1.1, 0), after.Iterations);
            var blocks = OneSided.Compute(before.Blocks.Scaled(1.1, 0), after.Blocks);
            failed += iterations.Above < Alpha && blocks.Above < Alpha ? 1 : 0;
            passed += iterations.Below < Alpha && blocks.Below < Alpha ? 1 : 0;
            byIterationsAlone += iterations.Above < Alpha ? 1 : 0;
        }

        Assert.InRange(failed, 1, Most);
        Assert.InRange(passed, 1, Most);
        Assert.True(byIterationsAlone > 2 * Most, $"{byIterationsAlone} of {Draws}");
    }

    private static LevelSample Sample(Random random, double mean)
    {
        var readings = new List<Reading>();
        for (var block = 1; block <= 5; block++)
        {
            var process = Normal.Sample(random, mean, 2);
            for (var i = 0; i < 3; i++)
                readings.Add(new Reading(block, readings.Count + 1, Normal.Sample(random, process, 2)));
        }

        return new LevelSample(readings);
    }
}
