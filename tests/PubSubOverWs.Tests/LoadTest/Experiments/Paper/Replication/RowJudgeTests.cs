using PubSubOverWs.LoadTest.Experiments.Paper.Replication;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed class RowJudgeTests
{
    private static readonly PublishedClaim Slower =
        new(Math.Log(1.02), EffectScale.MarginOfRatio(PublishedClaim.LatencyMargin), true, EffectScale.Ratio);
    private static readonly Circumstances Quiet = new(RunValid: true, NoiseFloor: Math.Log(1.001));

    private static readonly Comparison Row = new()
    {
        Level = Some.Level(500),
        First = new Moments(30, 100, 1),
        Second = new Moments(30, 102, 1),
        Blocks = 5,
        Ratio = 1.02,
        Iterations = Evidence(0.001, 1.01, 1.03),
        BlockMeans = Evidence(0.01, 1.011, 1.035),
    };

    [Theory]
    [InlineData(0.01, 1.011, 1.035, PaperVerdict.Reproduced, Direction.AsClaimed, Size.AsPublished)]
    [InlineData(0.01, 1.5, 1.6, PaperVerdict.DirectionOnly, Direction.AsClaimed, Size.Other)]
    [InlineData(0.01, 1.001, 2.3, PaperVerdict.DirectionOnly, Direction.AsClaimed, Size.TooCoarse)]
    [InlineData(0.01, 0.8, 0.9, PaperVerdict.Contradicted, Direction.Opposite, null)]
    [InlineData(0.01, 1.001, 1.005, PaperVerdict.Contradicted, Direction.Alike, null)]
    [InlineData(0.50, 0.8, 1.2, PaperVerdict.Open, Direction.Open, null)]
    public void Each_cell_of_the_rule_has_its_verdict(
        double p, double low, double high, PaperVerdict verdict, Direction direction, Size? size)
    {
        var judged = RowJudge.Judge(Slower, Row with { Iterations = Evidence(p, low, high), BlockMeans = Evidence(p, low, high) }, Quiet);
        Assert.Equal((verdict, direction, size), (judged.Verdict, judged.Direction, judged.Size));
        Assert.NotEmpty(judged.Reason);
    }

    [Theory]
    [InlineData(0.01, 2, 6, Direction.AsClaimed)]
    // The old example: R 0.167 at 50 users.
    [InlineData(0.01, 0.12, 0.21, Direction.Opposite)]
    [InlineData(0.01, 0.998, 1.002, Direction.Alike)]
    [InlineData(0.50, 0.8, 1.2, Direction.Open)]
    public void Where_the_paper_claims_nothing_the_direction_is_told_and_decides_nothing(
        double p, double low, double high, Direction direction)
    {
        var row = Row with { Iterations = Evidence(p, low, high), BlockMeans = Evidence(p, low, high) };
        var judged = RowJudge.Judge(Slower with { IsClaimed = false }, row, Quiet);
        Assert.Equal((PaperVerdict.NotClaimed, direction, false), (judged.Verdict, judged.Direction, judged.IsClaimed));
    }

    [Theory]
    [InlineData(null, PaperVerdict.DirectionOnly, "noise floor not measured")]
    [InlineData(1.03, PaperVerdict.DirectionOnly, "below the noise floor")]
    [InlineData(1.01, PaperVerdict.Reproduced, "published size")]
    public void Nothing_is_reproduced_without_a_noise_floor_or_below_it(double? factor, PaperVerdict verdict, string reason)
    {
        var judged = RowJudge.Judge(Slower, Row, Quiet with { NoiseFloor = factor is { } known ? Math.Log(known) : null });
        Assert.Equal(verdict, judged.Verdict);
        Assert.Contains(reason, judged.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void An_effect_below_one_is_held_against_the_floor_in_the_same_way()
    {
        var faster = Slower with { Effect = Math.Log(0.5) };
        var row = Row with { Ratio = 0.5, Iterations = Evidence(0.001, 0.45, 0.55), BlockMeans = Evidence(0.001, 0.45, 0.55) };
        Assert.Equal(PaperVerdict.Reproduced, RowJudge.Judge(faster, row, Quiet with { NoiseFloor = Math.Log(1.9) }).Verdict);
        Assert.Equal(PaperVerdict.DirectionOnly, RowJudge.Judge(faster, row, Quiet with { NoiseFloor = Math.Log(2.1) }).Verdict);
    }

    [Theory]
    [InlineData(null, PaperVerdict.Open)]
    [InlineData(1.005, PaperVerdict.Open)]
    [InlineData(1.001, PaperVerdict.NoDifference)]
    public void Equal_bytes_are_not_shown_by_a_set_up_that_is_noisier_than_the_margin(double? factor, PaperVerdict verdict)
    {
        var row = Row with { Iterations = Evidence(0.5, 0.998, 1.002), BlockMeans = Evidence(0.5, 0.997, 1.003) };
        Assert.Equal(verdict, RowJudge.Same(row, Quiet with { NoiseFloor = factor is { } known ? Math.Log(known) : null }).Verdict);
    }

    [Theory]
    [InlineData(0.01, 1.005, 1.01, PaperVerdict.Contradicted)]
    [InlineData(0.01, 0.99, 0.995, PaperVerdict.Contradicted)]
    [InlineData(0.01, 1.003, 1.01, PaperVerdict.Open)]
    [InlineData(0.05, 1.005, 1.01, PaperVerdict.Open)]
    [InlineData(0.001, 1.001, 1.003, PaperVerdict.NoDifference)]
    public void Bytes_that_differ_by_more_than_0_4_percent_contradict_that_they_are_equal(
        double p, double low, double high, PaperVerdict verdict) =>
        Assert.Equal(
            verdict, RowJudge.Same(Row with { Iterations = Evidence(p, low, high), BlockMeans = Evidence(p, low, high) }, Quiet).Verdict);

    [Fact]
    public void Where_blocks_decide_otherwise_the_row_is_open()
    {
        var judged = RowJudge.Judge(Slower, Row with { BlockMeans = Evidence(0.2, 0.95, 1.1) }, Quiet);
        Assert.Equal((PaperVerdict.Open, "blocks and iterations disagree"), (judged.Verdict, judged.Reason));
    }

    [Fact]
    public void Where_n_eff_decides_otherwise_the_row_is_open()
    {
        var judged = RowJudge.Judge(Slower, Row with { Effective = Evidence(0.2, 0.95, 1.1) }, Quiet);
        Assert.Equal(PaperVerdict.Open, judged.Verdict);
        Assert.Contains("n_eff", judged.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Iterations_that_differ_only_in_size_agree_and_blocks_say_how_large_it_is()
    {
        Assert.Equal(PaperVerdict.Reproduced, RowJudge.Judge(Slower, Row with { Iterations = Evidence(0.01, 1.03, 1.05) }, Quiet).Verdict);
        Assert.Equal(
            PaperVerdict.DirectionOnly, RowJudge.Judge(Slower, Row with { BlockMeans = Evidence(0.01, 1.03, 1.05) }, Quiet).Verdict);
    }

    [Theory]
    [InlineData(19, 5, "n is 19 in 5 blocks, and a verdict needs 20 in 5")]
    [InlineData(30, 4, "n is 30 in 4 blocks, and a verdict needs 20 in 5")]
    [InlineData(1, 1, "n is 1 in 1 block, and a verdict needs 20 in 5")]
    [InlineData(5, 1, "n is 5 in 1 block, and a verdict needs 20 in 5")]
    public void A_quick_run_has_no_verdict(int n, int blocks, string why)
    {
        var judged = RowJudge.Judge(Slower, Row with { First = Row.First with { Count = n }, Blocks = blocks }, Quiet);
        Assert.Equal((PaperVerdict.NotJudged, why), (judged.Verdict, judged.Reason));
        Assert.Equal("not judged (quick)", judged.Text);
    }

    [Fact]
    public void A_row_that_cannot_be_tested_says_why()
    {
        Assert.Equal("the run is invalid", Why(Row, Quiet with { RunValid = false }));
        Assert.Equal("an arm is missing", Why(Row with { First = default }, Quiet));
        Assert.Equal("both arms are constant and equal", Why(Row with { First = new(9, 3, 0), Second = new(9, 3, 0) }, Quiet));
    }

    [Theory]
    [InlineData(
        "contradicted at N = 2, 3 on this host", PaperVerdict.Reproduced, PaperVerdict.Contradicted, PaperVerdict.Contradicted,
        PaperVerdict.Open)]
    [InlineData("open", PaperVerdict.Reproduced, PaperVerdict.Open, PaperVerdict.DirectionOnly, PaperVerdict.NotTestable)]
    [InlineData("direction only", PaperVerdict.Reproduced, PaperVerdict.DirectionOnly, PaperVerdict.NotTestable)]
    [InlineData("reproduced", PaperVerdict.Reproduced, PaperVerdict.NotTestable)]
    [InlineData("not testable", PaperVerdict.NotTestable, PaperVerdict.NotTestable)]
    [InlineData("not testable")]
    [InlineData("not judged (quick)", PaperVerdict.NotJudged, PaperVerdict.NotTestable)]
    [InlineData("no difference", PaperVerdict.NoDifference, PaperVerdict.NoDifference)]
    public void The_weakest_testable_row_decides_and_a_contradiction_before_it(string text, params PaperVerdict[] rows)
    {
        var verdict = HypothesisVerdict.From("H2", "", [.. rows.Select((row, i) => new RowVerdict(i + 1, row, ""))]);
        Assert.Equal(text, verdict.Text);
    }

    [Theory]
    [InlineData("reproduced", PaperVerdict.Reproduced, Direction.AsClaimed, Size.AsPublished)]
    [InlineData("direction only (other size)", PaperVerdict.DirectionOnly, Direction.AsClaimed, Size.Other)]
    [InlineData("direction only (too coarse)", PaperVerdict.DirectionOnly, Direction.AsClaimed, Size.TooCoarse)]
    [InlineData("contradicted (opposite)", PaperVerdict.Contradicted, Direction.Opposite, null)]
    [InlineData("contradicted (alike)", PaperVerdict.Contradicted, Direction.Alike, null)]
    [InlineData("no claim (opposite)", PaperVerdict.NotClaimed, Direction.Opposite, null)]
    [InlineData("no claim (as claimed)", PaperVerdict.NotClaimed, Direction.AsClaimed, null)]
    [InlineData("open", PaperVerdict.Open, Direction.Open, null)]
    [InlineData("not judged (quick)", PaperVerdict.NotJudged, null, null)]
    public void A_row_tells_both_answers(string text, PaperVerdict verdict, Direction? direction, Size? size) =>
        Assert.Equal(text, new RowVerdict(500, verdict, "") { Direction = direction, Size = size }.Text);

    [Fact]
    public void Levels_that_cannot_be_tested_for_different_reasons_each_say_theirs()
    {
        RowVerdict[] rows = [new(50, PaperVerdict.NotTestable, "the paper has no loss here"),
            new(500, PaperVerdict.NotTestable, "nothing was lost"), new(1_000, PaperVerdict.NotTestable, "nothing was lost")];
        Assert.Equal(
            "H1b (Pubsub loses less): not testable, at N = 50 the paper has no loss here; at N = 500, 1000 nothing was lost.",
            HypothesisVerdict.From("H1b", "Pubsub loses less.", rows).Sentence);
    }

    [Fact]
    public void Rows_where_the_paper_claims_nothing_count_neither_for_nor_against()
    {
        RowVerdict[] rows = [new(50, PaperVerdict.NotClaimed, "") { IsClaimed = false, Direction = Direction.Opposite },
            new(100, PaperVerdict.NotJudged, "") { IsClaimed = false },
            new(500, PaperVerdict.DirectionOnly, "") { Direction = Direction.AsClaimed, Size = Size.Other }];
        Assert.Equal("direction only (other size)", HypothesisVerdict.From("H2", "", rows).Text);
    }

    private static string Why(Comparison row, Circumstances circumstances)
    {
        var judged = RowJudge.Judge(Slower, row, circumstances);
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
