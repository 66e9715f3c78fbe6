using PubSubOverWs.Experiment.Experiments.Published;
using PubSubOverWs.Experiment.Experiments.Replication;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Statistics;
using PubSubOverWs.Tests.Experiment.Statistics;

namespace PubSubOverWs.Tests.Experiment.Experiments.Replication;

public sealed class RowJudgeTests
{
    private static readonly PublishedClaim Higher = new(1.02, true, 0.01, 1);
    private static readonly PublishedClaim Same = new(1, false, 0.01, 0.8);
    private static readonly Circumstances Quiet = new(RunValid: true, NoiseFloor: 0.001);

    private static readonly Comparison Row = new()
    {
        Level = Some.Level(500),
        First = new Moments(30, 100, 1),
        Second = new Moments(30, 102, 1),
        Blocks = 5,
        Ratio = 1.02,
        Iterations = Evidence(0.001, 1.01, 1.03),
        BlockMeans = Evidence(0.01, 1.005, 1.035),
    };

    [Fact]
    public void A_row_that_meets_every_condition_is_reproduced() =>
        Assert.Equal(PaperVerdict.Reproduced, RowJudge.Judge(Higher, Row, Quiet).Verdict);

    [Theory]
    [InlineData(null, PaperVerdict.DirectionOnly, "noise floor not measured")]
    [InlineData(0.03, PaperVerdict.DirectionOnly, "below the noise floor")]
    [InlineData(0.01, PaperVerdict.Reproduced, "inside the interval")]
    public void Nothing_is_reproduced_without_a_noise_floor_or_below_it(double? floor, PaperVerdict verdict, string reason)
    {
        var judged = RowJudge.Judge(Higher, Row, Quiet with { NoiseFloor = floor });
        Assert.Equal(verdict, judged.Verdict);
        Assert.Contains(reason, judged.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, PaperVerdict.Inconclusive)]
    [InlineData(0.02, PaperVerdict.Inconclusive)]
    [InlineData(0.01, PaperVerdict.NoDifference)]
    public void An_absence_is_not_shown_by_a_set_up_that_is_noisier_than_the_margin(double? floor, PaperVerdict verdict)
    {
        var row = Row with { Iterations = Evidence(0.5, 0.995, 1.005), BlockMeans = Evidence(0.5, 0.993, 1.006) };
        Assert.Equal(verdict, RowJudge.Judge(Same, row, Quiet with { NoiseFloor = floor }).Verdict);
    }

    [Fact]
    public void Where_blocks_decide_otherwise_the_row_is_inconclusive()
    {
        var judged = RowJudge.Judge(Higher, Row with { BlockMeans = Evidence(0.2, 0.95, 1.1) }, Quiet);
        Assert.Equal((PaperVerdict.Inconclusive, "blocks and iterations disagree"), (judged.Verdict, judged.Reason));
    }

    [Fact]
    public void Where_n_eff_decides_otherwise_the_row_is_inconclusive()
    {
        var judged = RowJudge.Judge(Higher, Row with { Effective = Evidence(0.2, 0.95, 1.1) }, Quiet);
        Assert.Equal(PaperVerdict.Inconclusive, judged.Verdict);
        Assert.Contains("n_eff", judged.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Iterations_that_differ_only_in_how_much_may_be_claimed_agree_and_blocks_say_how_much()
    {
        Assert.Equal(PaperVerdict.Reproduced, RowJudge.Judge(Higher, Row with { Iterations = Evidence(0.01, 1.03, 1.05) }, Quiet).Verdict);
        Assert.Equal(
            PaperVerdict.DirectionOnly, RowJudge.Judge(Higher, Row with { BlockMeans = Evidence(0.01, 1.03, 1.05) }, Quiet).Verdict);
    }

    [Theory]
    [InlineData(19, 5, "n is 19 in 5 blocks, and a verdict needs 20 in 5")]
    [InlineData(30, 4, "n is 30 in 4 blocks, and a verdict needs 20 in 5")]
    [InlineData(1, 1, "n is 1 in 1 block, and a verdict needs 20 in 5")]
    [InlineData(5, 1, "n is 5 in 1 block, and a verdict needs 20 in 5")]
    public void A_quick_run_has_no_verdict(int n, int blocks, string why)
    {
        var judged = RowJudge.Judge(Higher, Row with { First = Row.First with { Count = n }, Blocks = blocks }, Quiet);
        Assert.Equal((PaperVerdict.NotJudged, why), (judged.Verdict, judged.Reason));
        Assert.Equal("not judged (quick)", VerdictText.Of(judged.Verdict));
    }

    [Fact]
    public void A_slower_arm_is_not_a_contradiction_if_the_paper_had_no_power_to_see_a_difference()
    {
        var fifty = Paper.Load().Latency.Single(row => row.Users == 50);
        var claim = PublishedClaim.Latency(fifty, PaperEffect.PowerOf(fifty, 30));
        // R: power.t.test(n = 30, delta = 1.17, sd = sqrt((2.89^2 + 1.70^2) / 2)) is 0.4678.
        Close.Relative(0.4678, claim.Power, 1e-3);
        var judged = RowJudge.Judge(claim, Row with { Iterations = Evidence(0.001, 3, 5), BlockMeans = Evidence(0.01, 2, 6) }, Quiet);
        Assert.Equal(PaperVerdict.NotSeenByPaper, judged.Verdict);
        Assert.Contains("47 %", judged.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void A_row_that_cannot_be_tested_says_why()
    {
        Assert.Equal("the run is invalid", Why(Row, Quiet with { RunValid = false }));
        Assert.Equal("an arm is missing", Why(Row with { First = default }, Quiet));
        Assert.Equal("both arms are constant and equal", Why(Row with { First = new(9, 3, 0), Second = new(9, 3, 0) }, Quiet));
    }

    [Theory]
    [InlineData(0.01, 1.5, 1.6, "outside the interval")]
    [InlineData(0.01, 0.8, 0.9, "the other direction")]
    [InlineData(0.50, 0.8, 1.2, "not clear")]
    [InlineData(0.50, 0.995, 1.005, "half the published effect")]
    public void Every_verdict_gives_its_reason(double p, double low, double high, string reason)
    {
        var judged = RowJudge.Judge(Higher, Row with { Iterations = Evidence(p, low, high), BlockMeans = Evidence(p, low, high) }, Quiet);
        Assert.Contains(reason, judged.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void The_margin_of_latency_is_half_a_significant_effect_and_else_one_percent()
    {
        var latency = Paper.Load().Latency;
        Assert.Equal(0.01, PublishedClaim.Latency(latency.Single(row => row.Users == 50), 0.5).Margin);
        Assert.Equal(0.5 * ((300.20 / 292.77) - 1), PublishedClaim.Latency(latency.Single(row => row.Users == 500), 1).Margin, 1e-12);
    }

    [Fact]
    public void Bytes_per_delivered_message_are_published_as_equal_within_0_4_percent()
    {
        var claim = PublishedClaim.BytesPerDelivered;
        Assert.Equal((1, false, 0.004), (claim.Ratio, claim.Significant, claim.Margin));
    }

    private static string Why(Comparison row, Circumstances circumstances)
    {
        var judged = RowJudge.Judge(Higher, row, circumstances);
        Assert.Equal(PaperVerdict.NotTestable, judged.Verdict);
        return judged.Reason;
    }

    private static Evidence Evidence(double p, double low, double high) => new()
    {
        Test = new TTest(((low + high) / 2) - 1, 10, p),
        HolmP = p,
        Ratio95 = new Interval(low, high),
        Ratio90 = new Interval(low, high),
    };
}
