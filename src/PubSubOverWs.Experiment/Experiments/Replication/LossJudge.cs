using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Experiments.Published;

namespace PubSubOverWs.Experiment.Experiments.Replication;

/// <summary>Judges the loss rows. H1 is two claims, and neither is a ratio: nothing lost in an arm would make it 0 or infinite.</summary>
public static class LossJudge
{
    /// <summary>With this many iterations without a loss, a server that loses is unlikely; fewer may be chance.</summary>
    public const int LeastCountWithoutLoss = 30;

    /// <summary>H1a: the direct server loses, from 500 users on.</summary>
    public static RowVerdict DirectLoses(PublishedLoss published, ArmLevel direct, int blocks, Circumstances circumstances)
    {
        if (Untested(published, circumstances) is { } why)
            return new(published.Users, PaperVerdict.NotTestable, why);
        if (direct.Rows.Count == 0)
            return new(published.Users, PaperVerdict.NotTestable, "the arm is missing");
        if (RowJudge.NotJudged(direct.Rows.Count, blocks) is { } small)
            return new(published.Users, PaperVerdict.NotJudged, small);

        var rates = direct.Rows.Select(row => row.Buckets.EndToEndLoss ?? 0).ToArray();
        var claimed = published.Direct.Loss / 100;
        var many = rates.Count(rate => rate >= claimed / 2);
        if (many == 0)
        {
            var none = Invariant($"none of {rates.Length} iterations lost half of the published {published.Direct.Loss:0.00} %");
            return rates.Length >= LeastCountWithoutLoss
                ? new(published.Users, PaperVerdict.Contradicted, $"{none}")
                : new(published.Users, PaperVerdict.Inconclusive, $"{none}, and 30 are needed");
        }

        return OfLosses(published.Users, BlockMeans(direct), claimed, circumstances);
    }

    /// <summary>H1b: pubsub loses less.</summary>
    public static RowVerdict PubSubLosesLess(PublishedLoss published, Comparison rates, Circumstances circumstances)
    {
        if (Untested(published, circumstances) is { } untested)
            return new(published.Users, PaperVerdict.NotTestable, untested);
        if (rates.Count > 0 && rates.First.Mean == 0 && rates.Second.Mean == 0)
            return new(published.Users, PaperVerdict.NotTestable, "nothing was lost in either arm");
        if (RowJudge.NotTestable(rates, circumstances) is { } why)
            return new(published.Users, PaperVerdict.NotTestable, why);
        if (RowJudge.NotJudged(rates.Count, rates.Blocks) is { } small)
            return new(published.Users, PaperVerdict.NotJudged, small);

        if (Alike(published, rates) is { } alike)
            return alike;
        var decided = Sign(rates.Judged);
        if (rates.IsByBlocks && Sign(rates.Iterations) != decided)
            return new(published.Users, PaperVerdict.Inconclusive, "blocks and iterations disagree");
        if (rates.Effective is { } fewer && Sign(fewer) != decided)
            return new(published.Users, PaperVerdict.Inconclusive, RowJudge.Resemble(fewer));
        return decided switch
        {
            > 0 => new(published.Users, PaperVerdict.Contradicted, "pubsub lost significantly more"),
            0 => new(published.Users, PaperVerdict.Inconclusive, "the difference is not significant"),
            _ when circumstances.NoiseFloor is null =>
                new(published.Users, PaperVerdict.DirectionOnly, $"pubsub lost significantly less; {circumstances.NoFloorBecause}"),
            _ when rates.First.Mean - rates.Second.Mean < circumstances.NoiseFloor =>
                new(published.Users, PaperVerdict.DirectionOnly, "pubsub lost significantly less; the difference is below the noise floor"),
            _ => new(published.Users, PaperVerdict.Reproduced, "pubsub lost significantly less"),
        };
    }

    // Asked before direction: what lies within half the published difference is neither less nor more, however small its p. A few
    // messages are as good as none.
    private static RowVerdict? Alike(PublishedLoss published, Comparison rates)
    {
        var claimed = (published.Direct.Loss - published.PubSub.Loss) / 100;
        if (!IsAlike(rates.Judged, claimed / 2))
            return null;
        if (rates.IsByBlocks && !IsAlike(rates.Iterations, claimed / 2))
            return new(published.Users, PaperVerdict.Inconclusive, "blocks and iterations disagree");
        return Math.Max(rates.First.Mean, rates.Second.Mean) < claimed / 2
            ? new(
                published.Users, PaperVerdict.NotTestable,
                "almost nothing was lost in either arm, and they are alike within half the published difference")
            : new(published.Users, PaperVerdict.Contradicted, "both lose, and are shown to be alike within half the published difference");
    }

    private static bool IsAlike(Evidence evidence, double margin) => evidence.Difference90?.Inside(-margin, margin) == true;

    private static Moments BlockMeans(ArmLevel arm) =>
        Moments.Of([.. arm.Rows.GroupBy(row => row.Block).Select(block => block.Average(row => row.Buckets.EndToEndLoss ?? 0))]);

    // Of block means: iterations of one block share a process.
    private static RowVerdict OfLosses(int users, Moments rates, double claimed, Circumstances circumstances)
    {
        if (PairedTest.Difference(rates, 0.95) is not { Low: > 0 } interval)
            return new(users, PaperVerdict.Inconclusive, "some iterations have losses, and their mean is not clearly above 0");
        if (!interval.Contains(claimed))
            return new(users, PaperVerdict.DirectionOnly, "it loses, and the published rate is outside the interval");
        return circumstances.NoiseFloor switch
        {
            null => new(users, PaperVerdict.DirectionOnly, $"would be reproduced; {circumstances.NoFloorBecause}"),
            { } floor when rates.Mean * 100 < floor =>
                new(users, PaperVerdict.DirectionOnly, "would be reproduced; the loss is below the noise floor"),
            _ => new(users, PaperVerdict.Reproduced, "it loses, and the published rate is inside the interval"),
        };
    }

    private static string? Untested(PublishedLoss published, Circumstances circumstances) => published switch
    {
        _ when !circumstances.RunValid => "the run is invalid",
        { Direct.Loss: 0 } => "the paper has no loss here",
        _ => null,
    };

    private static int Sign(Evidence evidence) => evidence.HolmP < Decision.Alpha ? evidence.Sign : 0;
}
