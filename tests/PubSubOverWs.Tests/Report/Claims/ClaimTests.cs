using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Tests.Report.Standard.Rows;

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

public sealed class HeldRateClaimTests
{
    private static readonly HeldRateClaim Claim = new(
        "holds-200", "direct holds up to 200", "direct", Offers.Rule, Offers.Limit, (_, level) => level.Rate <= 200);

    [Fact]
    public void A_rate_that_every_iteration_holds_is_held_so_far_by_a_small_run()
    {
        var result = Judge(Offers.Folder());

        Assert.Equal(["holds so far", "holds so far", "not claimed"], result.Levels.Select(one => one.Verdict.Word));
        Assert.Equal(("holds so far", true), (result.Together.Word, result.Together.Holds));
        Assert.Contains("p99 at most 20.0 ms, none of 200 lost", result.Together.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void One_iteration_that_does_not_hold_a_claimed_rate_refutes_it_and_one_at_another_rate_does_not()
    {
        Assert.Equal(
            ("refuted", "3 of 100 lost"),
            Verdict(Judge(Offers.Folder(row => row is { Arm: "direct", Block: 1, Level.Number: 200 } ? row.Lossy() : row))));
        Assert.True(Judge(Offers.Folder(row => row.Level.Number == 400 || row.Arm != "direct" ? row.Lossy() : row)).Together.Holds);
    }

    [Fact]
    public void Where_the_core_of_the_load_was_the_limit_the_run_does_not_decide() => Assert.Equal(
        ("inconclusive", "p99 300 ms, and the load's own core was the limit"),
        Verdict(Judge(Offers.Folder(row => row.Level.Number == 200 ? row.Slow(300).Busy(0.95) : row))));

    [Fact]
    public void A_claim_about_no_level_of_the_run_is_not_testable() => Assert.Equal(
        "not testable", Judge(Offers.Folder(), Claim with { IsAbout = (_, _) => false }).Together.Word);

    [Fact]
    public void Lag_and_a_busy_core_are_shown_and_not_judged_where_rates_are_offered()
    {
        var checks = Validity.Check(Offers.Folder(row => row.Busy(0.99) with { LateSends = 90 }));

        Assert.All(
            checks.Where(check => check.Name is "schedule lag p99 within 20 ms" or "the load's core below 90 % busy"),
            check => Assert.Null(check.Holds));
        Assert.Equal(2, checks.Count(check => check.Detail.Contains("the knee judges it rate by rate", StringComparison.Ordinal)));
    }

    private static (string, string) Verdict(ClaimResult result) =>
        (result.Together.Word, result.Together.Reason.Replace("200 requests/s: ", "", StringComparison.Ordinal));

    private static ClaimResult Judge(RunFolder folder, HeldRateClaim? claim = null) =>
        Assert.Single(new ClaimEvidence(folder).Judge([claim ?? Claim]));
}
