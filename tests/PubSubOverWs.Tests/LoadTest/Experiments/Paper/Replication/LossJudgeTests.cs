using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.LoadTest.Experiments.Paper.Replication;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed class LossJudgeTests
{
    // 1 % published: 10 of 1000 messages, half of it 5.
    private static readonly PublishedLoss OnePercent = new(1000, new PublishedShare(99, 1), new PublishedShare(100, 0));
    private static readonly Circumstances Unmeasured = new(RunValid: true, NoiseFloor: null);
    private static readonly Circumstances Quiet = Unmeasured with { NoiseFloor = 0.001 };

    [Theory]
    [InlineData(30, PaperVerdict.Contradicted)]
    [InlineData(29, PaperVerdict.Open)]
    [InlineData(19, PaperVerdict.NotJudged)]
    [InlineData(1, PaperVerdict.NotJudged)]
    [InlineData(0, PaperVerdict.NotTestable)]
    public void A_server_that_never_loses_contradicts_H1a_from_30_iterations_on(int iterations, PaperVerdict verdict) =>
        Assert.Equal(verdict, Direct(Losses(iterations, 0), Quiet).Verdict);

    [Fact]
    public void Less_than_half_of_the_published_loss_in_every_iteration_contradicts_too()
    {
        Assert.Equal(PaperVerdict.Contradicted, Direct(Losses(30, 4), Quiet).Verdict);
    }

    [Fact]
    public void A_loss_below_that_between_two_instances_of_one_server_is_not_reproduced()
    {
        // 1 % of 1000; the floor is in percentage points.
        Assert.Equal(PaperVerdict.Reproduced, Direct(Losses(30, 9, 11, 10), Quiet with { NoiseFloor = 0.9 }).Verdict);
        Assert.Equal(PaperVerdict.DirectionOnly, Direct(Losses(30, 9, 11, 10), Quiet with { NoiseFloor = 1.1 }).Verdict);
    }

    [Fact]
    public void A_loss_of_the_published_size_is_reproduced_once_the_noise_floor_is_known()
    {
        var losses = Losses(30, 9, 11, 10);
        Assert.Equal(PaperVerdict.Reproduced, Direct(losses, Quiet).Verdict);
        Assert.Equal(PaperVerdict.DirectionOnly, Direct(losses, Unmeasured).Verdict);
        Assert.Equal(PaperVerdict.NotJudged, Direct(losses, Quiet, blocks: 4).Verdict);
        Assert.Equal(PaperVerdict.NotJudged, Direct(Losses(19, 9, 11, 10), Quiet).Verdict);
    }

    [Theory]
    [InlineData(new[] { 50, 51 }, Size.Other)]
    // 1 % in the mean, with blocks from 0.2 to 1.8 %.
    [InlineData(new[] { 2, 2, 2, 2, 2, 2, 18, 18, 18, 18, 18, 18, 10, 10, 10, 10, 10, 10, 6, 6, 6, 6, 6, 6, 14, 14, 14, 14, 14, 14 },
        Size.TooCoarse)]
    public void A_loss_of_another_size_or_of_an_unclear_one_confirms_the_direction_only(int[] cycle, Size size)
    {
        var judged = Direct(Losses(30, cycle), Quiet);
        Assert.Equal((PaperVerdict.DirectionOnly, Direction.AsClaimed, size), (judged.Verdict, judged.Direction, judged.Size));
    }

    [Fact]
    public void A_single_bad_iteration_is_not_clear() =>
        Assert.Equal(PaperVerdict.Open, Direct([500, .. Losses(29, 0)], Quiet).Verdict);

    [Fact]
    public void Nothing_lost_in_either_arm_cannot_tell_which_loses_less() =>
        Assert.Equal((PaperVerdict.NotTestable, "nothing was lost in either arm"), Less(Losses(30, 0), Losses(30, 0), Quiet));

    [Theory]
    // Published: 1 point less.
    [InlineData(new[] { 90, 91 }, new[] { 1, 2 }, "direction only (other size)")]
    [InlineData(new[] { 1, 2 }, new[] { 9, 11 }, "contradicted (opposite)")]
    [InlineData(new[] { 20, 21 }, new[] { 20, 22 }, "contradicted (alike)")]
    [InlineData(new[] { 0, 40 }, new[] { 40, 0 }, "open")]
    public void Whether_pubsub_loses_less_has_a_direction_and_a_size(int[] direct, int[] pubsub, string text) =>
        Assert.Equal(text, LessOf(Losses(30, direct), Losses(30, pubsub), Quiet).Text);

    [Theory]
    // Blocks of 1 % in the mean, near each other and far apart.
    [InlineData(new[] { 9, 11, 10, 8, 12 }, "reproduced")]
    [InlineData(new[] { 4, 16, 10, 22, 8 }, "direction only (too coarse)")]
    public void The_published_size_is_confirmed_by_an_interval_within_a_factor_of_two(int[] blocks, string text) =>
        Assert.Equal(text, LessOf([.. blocks.SelectMany(lost => Losses(6, lost + 4, lost - 4))], Losses(30, 0), Quiet).Text);

    [Fact]
    public void Pubsub_losing_less_more_or_as_much_is_distinguished()
    {
        int[] direct = [.. Enumerable.Range(8, 5).SelectMany(lost => Losses(6, lost + 4, lost - 4))];
        Assert.Equal(PaperVerdict.Reproduced, Less(direct, Losses(30, 0), Quiet).Verdict);
        Assert.Equal(PaperVerdict.DirectionOnly, Less(direct, Losses(30, 0), Unmeasured).Verdict);
        Assert.Equal(PaperVerdict.NotJudged, Less(Losses(10, 9, 11), Losses(10, 1, 2), Quiet).Verdict);
        Assert.Equal(PaperVerdict.Contradicted, Less(Losses(30, 1, 2), Losses(30, 9, 11), Quiet).Verdict);
        Assert.Equal(PaperVerdict.Contradicted, Less(Losses(30, 9, 11), Losses(30, 11, 9), Quiet).Verdict);
        Assert.Equal(PaperVerdict.Open, Less(Losses(30, 0, 40), Losses(30, 40, 0), Quiet).Verdict);
    }

    [Fact]
    public void A_few_lost_messages_are_as_good_as_none_however_small_their_p()
    {
        // One message in each block, and so the same difference in each: p is 0.
        int[] few = [.. Enumerable.Range(0, 30).Select(i => i % 6 == 0 ? 1 : 0)];
        const string Reason = "almost nothing was lost in either arm, and they are alike within half the published difference";

        Assert.Equal((PaperVerdict.NotTestable, Reason), Less(few, Losses(30, 0), Quiet));
        Assert.Equal((PaperVerdict.NotTestable, Reason), Less(Losses(30, 0), few, Quiet));
    }

    [Fact]
    public void Two_arms_that_lose_alike_contradict_that_one_loses_less() =>
        Assert.Equal(
            (PaperVerdict.Contradicted, "shown to be within the margin"),
            Less(Losses(30, 20, 21), Losses(30, 20, 22), Quiet));

    [Fact]
    public void Loss_in_one_block_only_is_not_taken_for_the_servers()
    {
        int[] oneBlock = [.. Losses(6, 100, 101), .. Losses(24, 20, 21)];
        int[] blocks = [.. Losses(6, 0, 1), .. Losses(24, 19, 21)];
        Assert.Equal((PaperVerdict.Open, "blocks and iterations disagree"), Less(oneBlock, blocks, Quiet));
    }

    [Fact]
    public void Levels_at_which_the_paper_lost_nothing_and_invalid_runs_are_not_tested()
    {
        var none = OnePercent with { Direct = new PublishedShare(100, 0) };
        Assert.Equal(PaperVerdict.NotTestable, LossJudge.DirectLoses(none, Level(Losses(30, 10)), 5, Quiet).Verdict);
        Assert.Equal(PaperVerdict.NotTestable, Direct(Losses(30, 0), Quiet with { RunValid = false }).Verdict);
        Assert.Equal("the run is invalid", Less(Losses(30, 5), Losses(30, 0), Quiet with { RunValid = false }).Reason);
        Assert.Equal("an arm is missing", Less(Losses(30, 5), [], Quiet).Reason);
    }

    private static int[] Losses(int iterations, params int[] cycle) =>
        [.. Enumerable.Range(0, iterations).Select(i => cycle[i % cycle.Length])];

    private static RowVerdict Direct(int[] losses, Circumstances circumstances, int blocks = 5) =>
        LossJudge.DirectLoses(OnePercent, Level(losses), blocks, circumstances);

    private static (PaperVerdict Verdict, string Reason) Less(int[] direct, int[] pubsub, Circumstances circumstances)
    {
        var judged = LessOf(direct, pubsub, circumstances);
        return (judged.Verdict, judged.Reason);
    }

    private static RowVerdict LessOf(int[] direct, int[] pubsub, Circumstances circumstances) => LossJudge.PubSubLosesLess(
        OnePercent, Comparisons.Compute([new LevelReadings(Some.Level(1000), Readings(direct), Readings(pubsub))])[0], circumstances);

    // In percent of 1,000 messages, as the metric is.
    private static IReadOnlyList<Reading> Readings(int[] losses) =>
        [.. losses.Select((lost, i) => new Reading((i / 6) + 1, i + 1, lost / 10.0))];

    private static ArmLevel Level(
        int[] losses) => new(Relays.Direct, Some.Level(1000),
            [.. losses.Select((lost, i) => Some.Row(Relays.Direct, 1000, (i / 6) + 1, i + 1) with
    {
        Buckets = new Buckets
            { Attempts = 1000, Delivered = 1000 - lost, LostUnacknowledged = lost, Causes = new CauseCounts(Deadline: lost) },
    })]);
}
