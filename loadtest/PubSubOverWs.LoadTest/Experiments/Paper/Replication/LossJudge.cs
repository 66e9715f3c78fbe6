using PubSubOverWs.LoadTest.Experiments.Paper.Published;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>
/// Judges the loss rows, in percentage points: a ratio would be 0 or infinite where an arm loses nothing. H1 is two claims.
/// </summary>
public static class LossJudge
{
    /// <summary>With this many iterations without a loss, a server that loses is unlikely; fewer may be chance.</summary>
    public const int LeastCountWithoutLoss = 30;

    /// <summary>H1a: the direct server loses, from 500 users on. It compares no arms, and no direction can be the other one.</summary>
    public static RowVerdict DirectLoses(PublishedLoss published, ArmLevel direct, int blocks, Circumstances circumstances)
    {
        if (Untested(published, circumstances) is { } why)
            return new(published.Users, PaperVerdict.NotTestable, why);
        if (direct.Rows.Count == 0)
            return new(published.Users, PaperVerdict.NotTestable, "the arm is missing");
        if (RowJudge.TooSmall(published.Users, direct.Rows.Count, blocks) is { } small)
            return small;

        var rates = direct.Rows.Select(row => (row.Block, Percent: 100 * (row.Buckets.EndToEndLoss ?? 0))).ToArray();
        var claimed = published.Direct.Loss;
        var found = new RowVerdict(published.Users, PaperVerdict.Open, "") { Direction = Direction.Open };
        if (rates.All(rate => rate.Percent < claimed / 2))
        {
            var none = Invariant($"none of {rates.Length} iterations lost half of the published {claimed:0.00} %");
            return rates.Length >= LeastCountWithoutLoss
                ? found with { Verdict = PaperVerdict.Contradicted, Direction = Direction.Alike, Reason = none }
                : found with { Reason = $"{none}, and {LeastCountWithoutLoss} are needed" };
        }

        // Of block means: iterations of one block share a process.
        var means = Moments.Compute([.. rates.GroupBy(rate => rate.Block).Select(block => block.Average(rate => rate.Percent))]);
        return PairedTest.Difference(means, 0.95) is { Low: > 0 } interval
            ? RowJudge.Sized(
                found with { Direction = Direction.AsClaimed }, PublishedClaim.SizeOf(interval, claimed), means.Mean, circumstances)
            : found with { Reason = "some iterations have losses, and their mean is not clearly above 0" };
    }

    /// <summary>H1b: pubsub loses less.</summary>
    public static RowVerdict PubSubLosesLess(PublishedLoss published, Comparison rates, Circumstances circumstances)
    {
        if (Untested(published, circumstances) is { } untested)
            return new(published.Users, PaperVerdict.NotTestable, untested);
        if (rates.Count > 0 && rates.First.Mean == 0 && rates.Second.Mean == 0)
            return new(published.Users, PaperVerdict.NotTestable, "nothing was lost in either arm");
        var claim = PublishedClaim.Less(published);
        var judged = RowJudge.Judge(claim, rates, circumstances);
        // A few messages are as good as none.
        return judged is { Verdict: PaperVerdict.Contradicted, Direction: Direction.Alike }
            && Math.Max(rates.First.Mean, rates.Second.Mean) < claim.Margin.High
            ? judged with
            {
                Verdict = PaperVerdict.NotTestable,
                Reason = "almost nothing was lost in either arm, and they are alike within half the published difference",
            }
            : judged;
    }

    private static string? Untested(PublishedLoss published, Circumstances circumstances) => published switch
    {
        _ when !circumstances.RunValid => "the run is invalid",
        { Direct.Loss: 0 } => "the paper has no loss here",
        _ => null,
    };
}
