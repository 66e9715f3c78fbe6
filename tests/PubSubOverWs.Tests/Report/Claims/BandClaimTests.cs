using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Claims;

public sealed class BandClaimTests
{
    [Fact]
    public void A_ratio_whose_whole_interval_lies_in_the_band_holds_and_one_that_lies_outside_is_refuted()
    {
        var result = Judge(Rooms.Folder(small: 1.2, large: 1.4), Within(new Interval(1.1, 1.3)));

        Assert.Equal(["holds", "refuted"], result.Levels.Select(one => one.Verdict.Word));
        Assert.StartsWith("1.200, claimed are 1.100 to 1.300; interval 1.2", result.Levels[0].Verdict.Reason, StringComparison.Ordinal);
        Assert.Equal("refuted", result.Together.Word);
    }

    [Fact]
    public void An_interval_across_an_end_of_the_band_leaves_it_open()
    {
        var folder = Rooms.Folder(small: 1.2, large: 1.2);
        var scattered = folder with
        {
            Rows = [.. folder.Rows.Select(one => one.Arm == "crowded"
                ? one with { FromSent = one.FromSent with { Mean = one.FromSent.Mean * (one.Block % 2 == 0 ? 1.2 : 0.9) } }
                : one)],
        };

        Assert.Equal("inconclusive", Judge(scattered, Within(new Interval(1.15, double.PositiveInfinity))).Together.Word);
    }

    [Fact]
    public void Levels_of_which_nothing_is_claimed_decide_nothing()
    {
        var claim = Within(new Interval(1.1, 1.3)) with { Band = (_, level) => level.Number == 10 ? new Interval(1.1, 1.3) : null };
        var result = Judge(Rooms.Folder(small: 1.2, large: 9), claim);

        Assert.Equal(["holds", "not claimed"], result.Levels.Select(one => one.Verdict.Word));
        Assert.Equal(("holds", true), (result.Together.Word, result.Together.Holds));
        Assert.Equal("not testable", Judge(Rooms.Folder(), claim with { Band = (_, _) => null }).Together.Word);
    }

    [Fact]
    public void Fewer_blocks_than_five_judge_nothing_and_show_the_value()
    {
        var verdict = Judge(Rooms.Folder(quick: true), Within(new Interval(1.1, 1.3))).Levels[0].Verdict;

        Assert.Equal("not judged (quick)", verdict.Word);
        Assert.StartsWith("1.200, claimed are 1.100 to 1.300; n is 2,", verdict.Reason, StringComparison.Ordinal);
    }

    // The mean over blocks is 10,000 us and something, the same in both arms.
    [Fact]
    public void The_mean_of_an_arm_may_be_claimed_too()
    {
        var claim = Within(new Interval(10, 11)) with
        {
            Read = (evidence, level) => BandReading.OfMean(evidence, MessageMetrics.Latency, "full", level),
        };

        Assert.Equal("holds", Judge(Rooms.Folder(), claim).Together.Word);
        Assert.Equal("not testable", Judge(Rooms.Folder(arms: ["empty"]), claim).Together.Word);
    }

    private static BandClaim Within(Interval band) => new(
        "band", "it lies in a band", (evidence, level) => BandReading.OfRatio(evidence, MessageMetrics.Latency, Rooms.Crowding, level),
        (_, _) => band);

    private static ClaimResult Judge(RunFolder folder, BandClaim claim) => new ClaimEvidence(folder).Judge([claim]).Single();
}
