using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Tests.Report.Standard.Rows;

namespace PubSubOverWs.Tests.Report.Claims;

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
