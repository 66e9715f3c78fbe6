using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Gates;

public sealed class GateTests
{
    private static readonly OneWayScenario Two = Some.Scenario with { Users = [50, 1000], Iterations = 1, Blocks = 1 };

    [Theory]
    [InlineData("pubsub.loss == 0", "pubsub", 0)]
    [InlineData("  direct . loss==0% ", "direct", 0)]
    [InlineData("direct.loss <= 0.5%", "direct", 0.5)]
    [InlineData("direct.loss<=100 %", "direct", 100)]
    public void Both_forms_are_read_whatever_the_spaces(string text, string arm, double percent)
    {
        var gate = Some.Gate(text);
        Assert.Equal((arm, "loss", (decimal)percent / 100), (gate.Left.Arm, gate.Left.Metric.Gate, gate.Limit));
        Assert.Equal((GateSeverity.Fail, (GateQuantity?)null), (gate.Severity, gate.Right));
    }

    [Theory]
    [InlineData("direct.latency.p99 < 250ms", "latency.p99", 250_000)]
    [InlineData("direct.latency . mean <= 1.5s", "latency.mean", 1_500_000)]
    [InlineData("direct.latency.max > 20us", "latency.max", 20)]
    [InlineData("direct.duplicates == 0", "duplicates", 0)]
    [InlineData("direct.guarantee-loss == 0", "guarantee-loss", 0)]
    [InlineData("direct.bytes < 250.5", "bytes", 250.5)]
    public void Every_metric_can_be_asked_in_its_unit(string text, string metric, double limit)
    {
        var gate = Some.Gate(text);
        Assert.Equal((metric, (decimal)limit), (gate.Left.Metric.Gate, gate.Limit));
    }

    [Fact]
    public void One_arm_can_be_divided_by_the_other_and_a_gate_may_only_warn()
    {
        var gate = Some.Gate("warn: pubsub.latency.mean / direct.latency.mean < 8");
        Assert.Equal((GateSeverity.Warn, "pubsub", "direct", 8m), (gate.Severity, gate.Left.Arm, gate.Right!.Arm, gate.Limit));
    }

    [Theory]
    [InlineData("")]
    [InlineData("pubsub.loss")]
    [InlineData("pubsub.loss == 1")]
    [InlineData("pubsub.loss = 0")]
    [InlineData("pubsub.loss < 5ms")]
    [InlineData("pubsub.latency.mean < 5")]
    [InlineData("pubsub.latency.p75 < 5ms")]
    [InlineData("pubsub.duplicates < 5%")]
    [InlineData("pubsub.latency.mean / direct.loss < 5")]
    [InlineData("pubsub.latency.mean / direct.latency.mean < 5ms")]
    [InlineData("note: pubsub.loss == 0")]
    [InlineData("pubsub.loss <= 1")]
    [InlineData("pubsub.loss <= -1%")]
    [InlineData("pubsub.loss <= 101%")]
    [InlineData("pubsub.loss <= 99999999999999999999999999999999999%")]
    [InlineData("pubsub.latency <= 1%")]
    [InlineData("floor.loss == 0")]
    public void Any_other_gate_is_refused_in_one_sentence_that_shows_the_allowed_forms(string text)
    {
        var refused = Assert.Throws<GateException>(() => Some.Gate(text));
        Assert.Contains($"'{text}'", refused.Message, StringComparison.Ordinal);
        Assert.Contains("X.latency.p99 < 250ms", refused.Message, StringComparison.Ordinal);
        Assert.Contains("X.loss == 0", refused.Message, StringComparison.Ordinal);
        Assert.Contains("X.loss <= 0.5%", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("pubsub.loss == 0", 0, true)]
    [InlineData("pubsub.loss == 0", 1, false)]
    [InlineData("pubsub.loss <= 0.3%", 3, true)]
    [InlineData("pubsub.loss <= 0.3%", 4, false)]
    public void Losses_are_counted_exactly(string gate, int lost, bool passed)
    {
        var result = Check(Folder(Row(Relays.PubSub, 50, 1, 0), Row(Relays.PubSub, 1000, 2, lost)), gate);
        Assert.Equal(passed, result.Passed);
        Assert.Contains(
            passed ? "of 1050 messages" : $"{lost} of 1000 messages lost at 1000 users", result.Sentence, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("pubsub.latency.mean < 30ms", true, "20 ms at 50 users, 20 ms at 1000 users")]
    [InlineData("pubsub.latency.mean < 20ms", false, "failed, 20 ms at 50 users, 20 ms at 1000 users")]
    [InlineData("pubsub.latency.mean / direct.latency.mean <= 2", true, "2 at 50 users, 2 at 1000 users")]
    [InlineData("direct.latency.mean / pubsub.latency.mean >= 0.6", false, "0.5 at 50 users")]
    [InlineData("pubsub.latency.p99 < 250ms", false, "pubsub has no latency.p99 at 50 users: an iteration has fewer than 1,000 samples")]
    [InlineData("pubsub.guarantee-loss == 0", false, "nothing was acknowledged")]
    [InlineData("pubsub.duplicates == 0", true, "0 at 50 users")]
    public void Latencies_and_ratios_are_those_of_every_level(string gate, bool passed, string sentence)
    {
        var folder = Folder(
            Timed(Relays.Direct, 50, 1, 10), Timed(Relays.PubSub, 50, 1, 20), Timed(Relays.Direct, 1000, 2, 10),
                Timed(Relays.PubSub, 1000, 2, 20));
        var result = Check(folder, gate);
        Assert.Equal(passed, result.Passed);
        Assert.Contains(sentence, result.Sentence, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("pubsub.latency.mean < 30ms", "latency.mean")]
    [InlineData("pubsub.latency.max < 30ms", "latency.max")]
    [InlineData("pubsub.latency.mean / direct.latency.mean < 8", "latency.mean")]
    public void An_iteration_that_delivered_nothing_has_no_latency_and_its_level_never_passes(string gate, string metric)
    {
        var nothing = new LatencySummary { Count = 0 };
        var lost = Row(Relays.PubSub, 50, 4, 50) with { FromDue = nothing, FromSent = nothing };
        var folder = Folder(
            Some.Row(Relays.Direct, 50, 1, 1), Some.Row(Relays.PubSub, 50, 1, 2), Some.Row(Relays.Direct, 1000, 1, 3),
            Some.Row(Relays.PubSub, 1000, 1, 3), lost);
        Assert.Contains(
            $"failed, because pubsub has no {metric} at 50 users: an iteration delivered nothing.", Fails(folder, gate),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_gate_that_only_warns_is_reported_and_fails_nothing()
    {
        var folder = Folder(Row(Relays.PubSub, 50, 1, 1), Row(Relays.PubSub, 1000, 2, 0));
        var result = Check(folder, "warn: pubsub.loss == 0");
        Assert.StartsWith("warn: pubsub.loss == 0: warning, 1 of 50 messages lost at 50 users", result.Sentence, StringComparison.Ordinal);
        Assert.Equal(ExitCode.Success, GateCheck.ExitCodeOf(folder, [result]));
    }

    [Fact]
    public void Every_level_must_satisfy_a_gate_not_only_their_sum() =>
        Assert.False(Check(Folder(Row(Relays.PubSub, 50, 1, 1), Row(Relays.PubSub, 1000, 2, 0)), "pubsub.loss <= 1%").Passed);

    [Fact]
    public void Warm_up_and_superseded_rows_are_left_out()
    {
        var folder = Folder(
            Row(Relays.PubSub, 50, 1, 5) with { WarmUp = true },
            Row(Relays.PubSub, 50, 2, 5) with { Superseded = true },
            Row(Relays.PubSub, 50, 3, 0),
            Row(Relays.PubSub, 1000, 4, 0));
        Assert.True(Check(folder, "pubsub.loss == 0").Passed);
    }

    [Fact]
    public void A_level_without_iterations_never_passes() =>
        Assert.Contains(
            "no measured iteration at 1000 users", Fails(Folder(Row(Relays.PubSub, 50, 1, 0)), "pubsub.loss <= 100%"),
            StringComparison.Ordinal);

    [Fact]
    public void An_arm_that_was_not_run_never_passes()
    {
        var folder = Folder(Row(Relays.PubSub, 50, 1, 0), Row(Relays.PubSub, 1000, 2, 0));
        folder = folder with { Run = folder.Run with { Scenario = Two with { Arms = Relays.Named(Relays.PubSub) } } };
        Assert.Contains("direct was not run", Fails(folder, "direct.loss == 0"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_invalid_run_never_passes()
    {
        var folder = Folder(Row(Relays.PubSub, 50, 1, 0), Row(Relays.PubSub, 1000, 2, 0) with { DrainState = DrainState.Failed });
        Assert.Contains("invalid (queue drained at the end)", Fails(folder, "pubsub.loss == 0"), StringComparison.Ordinal);
        Assert.Equal(ExitCode.GateFailed, GateCheck.ExitCodeOf(folder, []));
    }

    [Fact]
    public void An_incomplete_run_never_passes()
    {
        var folder = Folder(Row(Relays.PubSub, 50, 1, 0), Row(Relays.PubSub, 1000, 2, 0));
        folder = folder with { Run = folder.Run with { Complete = false } };
        Assert.Contains("incomplete", Fails(folder, "pubsub.loss == 0"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_exit_code_tells_success_from_a_failed_gate_from_nothing_measured()
    {
        var folder = Folder(Row(Relays.PubSub, 50, 1, 0), Row(Relays.PubSub, 1000, 2, 1));
        Assert.Equal(ExitCode.Success, GateCheck.ExitCodeOf(folder, GateCheck.Check(folder, [Some.Gate("pubsub.loss <= 1%")])));
        Assert.Equal(ExitCode.GateFailed, GateCheck.ExitCodeOf(folder, GateCheck.Check(folder, [Some.Gate("pubsub.loss == 0")])));
        Assert.Equal(ExitCode.NothingMeasured, GateCheck.ExitCodeOf(Folder(Row(Relays.PubSub, 50, 1, 0) with { WarmUp = true }), []));
        Assert.Equal(ExitCode.NothingMeasured, GateCheck.ExitCodeOf(Folder(Some.Row(Arm.Floor.Name, 50, 1, 1)), []));
    }

    private static IterationRow Timed(string arm, int users, int iteration, double milliseconds)
    {
        var latency = new LatencySummary { Count = users, Mean = milliseconds * 1000, P50 = milliseconds * 1000 };
        return Row(arm, users, iteration, 0) with { FromDue = latency, FromSent = latency };
    }

    private static GateResult Check(RunFolder folder, string gate) => Assert.Single(GateCheck.Check(folder, [Some.Gate(gate)]));

    private static string Fails(RunFolder folder, string gate)
    {
        var result = Check(folder, gate);
        Assert.False(result.Passed);
        return result.Sentence;
    }

    private static RunFolder Folder(params IterationRow[] rows) => new(Some.RunOf(Two), rows, []);

    private static IterationRow Row(string arm, int users, int iteration, int lost) => Some.Row(arm, users, 1, iteration) with
    {
        Buckets = new Buckets
        { Attempts = users, Delivered = users - lost, LostUnacknowledged = lost, Causes = new CauseCounts(Deadline: lost) },
    };
}
