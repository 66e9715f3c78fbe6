using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Claims;

namespace PubSubOverWs.Tests.Report.Claims;

public class ClaimTests
{
    [Fact]
    public void A_ratio_whose_whole_interval_is_within_the_bound_holds_at_every_level()
    {
        var result = Judge(Rooms.Folder(small: 1.2, large: 1.4), Rooms.AtMostHalfMore);

        Assert.Equal(["holds", "holds"], result.Levels.Select(one => one.Verdict.Word));
        Assert.True(result.Together.Holds);
        Assert.StartsWith("10 m2: R is 1.200, 95 % 1.200 to 1.200; 90 m2: R is 1.400, ", result.Together.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void One_level_whose_interval_is_above_the_bound_refutes_the_claim_and_a_required_one_fails_the_run()
    {
        var result = Judge(Rooms.Folder(small: 1.2, large: 1.8), Rooms.AtMostHalfMore);

        Assert.Equal(["holds", "refuted"], result.Levels.Select(one => one.Verdict.Word));
        Assert.Equal("refuted", result.Together.Word);
        Assert.StartsWith("90 m2: R is 1.8", result.Together.Reason, StringComparison.Ordinal);
        Assert.True(result.Fails);
        Assert.False(Judge(Rooms.Folder(small: 1.2, large: 1.8), Rooms.AtMostHalfMore with { Required = false }).Fails);
    }

    [Fact]
    public void An_interval_around_the_bound_leaves_a_claim_open()
    {
        var folder = Rooms.Folder(small: 1.2, large: 1.5);
        var scattered = folder with
        {
            Rows = [.. folder.Rows.Select(one => one.Arm == "crowded" && one.Level.Number == 90
                ? one with { FromSent = one.FromSent with { Mean = one.FromSent.Mean * (one.Block % 2 == 0 ? 1.3 : 0.8) } }
                : one)],
        };
        var open = Judge(scattered, Rooms.AtMostHalfMore);
        Assert.Equal("inconclusive", open.Together.Word);
        Assert.Null(open.Together.Holds);
        Assert.False(open.Fails);
    }

    [Fact]
    public void A_small_run_judges_no_ratio_however_large_it_is()
    {
        var result = Judge(Rooms.Folder(small: 9, large: 9, quick: true), Rooms.AtMostHalfMore);

        Assert.Equal("not judged (quick)", result.Together.Word);
        Assert.Contains("n is 4 in 2 blocks, and a verdict needs 20 in 5", result.Together.Reason, StringComparison.Ordinal);
        Assert.False(result.Fails);
    }

    [Fact]
    public void A_count_is_exact_so_a_small_run_can_refute_it_or_say_that_it_holds_so_far()
    {
        Assert.Equal("holds so far", Judge(Rooms.Folder(quick: true), Rooms.NothingLost).Together.Word);
        Assert.Equal("holds", Judge(Rooms.Folder(), Rooms.NothingLost).Together.Word);

        var refuted = Judge(Rooms.Folder(quick: true, lost: 1), Rooms.NothingLost);
        Assert.True(refuted.Fails);
        Assert.Equal("10 m2: crowded: 4 of 40 lost; 90 m2: crowded: 4 of 40 lost", refuted.Together.Reason);
    }

    [Fact]
    public void Claims_about_arms_that_were_not_run_and_about_invalid_runs_are_not_judged()
    {
        Assert.Equal(
            "10 m2: full and crowded were not both run; 90 m2: full and crowded were not both run",
            Judge(Rooms.Folder(arms: ["empty", "crowded"]), Rooms.AtMostHalfMore).Together.Reason);
        Assert.Equal("not testable", Judge(Rooms.Folder(arms: ["empty"]), Rooms.NothingLost).Together.Word);

        var folder = Rooms.Folder(large: 1.8, lost: 1);
        var invalid = folder with { Run = folder.Run with { Checks = new RunChecks(ServersAlive: false) } };
        Assert.All(
            new ClaimEvidence(invalid).Judge(Rooms.Analysis.Claims),
            result => Assert.Equal("the run is invalid", result.Levels[0].Verdict.Reason));
    }

    [Fact]
    public void A_claim_about_some_levels_is_judged_by_those_alone()
    {
        var ofSmall = Rooms.AtMostHalfMore with { Of = "small rooms", IsOf = level => level.Number < 50 };

        var result = Judge(Rooms.Folder(small: 1.2, large: 1.8), ofSmall);

        Assert.Equal(["holds", "not testable"], result.Levels.Select(one => one.Verdict.Word));
        Assert.Equal("claimed of small rooms only", result.Levels[1].Verdict.Reason);
        Assert.True(result.Together.Holds);
        Assert.Equal([true, false], result.Levels.Select(one => one.Verdict.IsClaimed));
    }

    [Fact]
    public void A_claim_about_no_level_of_the_run_is_not_testable_and_says_what_it_is_about()
    {
        var ofHuge = Rooms.AtMostHalfMore with { Of = "huge rooms", IsOf = level => level.Number > 500 };

        var result = Judge(Rooms.Folder(small: 1.8, large: 1.8), ofHuge);

        Assert.Equal(("not testable", "claimed of huge rooms only"), (result.Together.Word, result.Together.Reason));
        Assert.False(result.Fails);
    }

    [Fact]
    public void A_claim_may_need_less_than_others_for_a_verdict()
    {
        var result = Judge(Rooms.Folder(small: 9, large: 9, quick: true), Rooms.AtMostHalfMore with { LeastCount = 4, LeastBlocks = 2 });

        Assert.Equal("refuted", result.Together.Word);
    }

    [Fact]
    public void A_level_that_was_driven_to_a_limit_on_purpose_refutes_nothing()
    {
        var result = Judge(Rooms.AtTheirLimit(Rooms.Folder(small: 1.2, large: 1.8), level: 90), Rooms.AtMostHalfMore);

        Assert.Equal("a room without air", result.Levels[1].Verdict.Reason);
        Assert.Equal(("not testable", false), (result.Together.Word, result.Fails));
    }

    private static ClaimResult Judge(RunFolder folder, Claim claim) => Assert.Single(new ClaimEvidence(folder).Judge([claim]));
}
