using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Verdicts;

/// <summary>Judges a row by its ratio: latency, and bytes per delivered message. Loss rows go by <see cref="LossJudge"/> only.</summary>
public static class RowJudge
{
    public static RowVerdict Judge(Claim claim, Comparison row, Circumstances circumstances)
    {
        if (NotTestable(row, circumstances) is { } why)
            return new(row.Users, Verdict.NotTestable, why);
        var verdict = Decision.Of(claim, row.Iterations, row.Count, row.Blocks);
        if (row.BlockMeans is { } blocks && Disagree(verdict, Decision.Of(claim, blocks, row.Count, row.Blocks)))
            return new(row.Users, Verdict.Inconclusive, "iterations and blocks disagree");
        if (row.Effective is { } fewer && Disagree(verdict, Decision.Of(claim, fewer, row.Count, row.Blocks)))
            return new(row.Users, Verdict.Inconclusive, "neighbouring iterations resemble each other, and n_eff decides otherwise");
        return verdict == Verdict.Reproduced
            ? Capped(claim, row, circumstances)
            : new(row.Users, verdict, Reason(claim, row, verdict));
    }

    /// <summary>Why no test of this row means anything; null: it can be tested.</summary>
    internal static string? NotTestable(Comparison row, Circumstances circumstances) => row switch
    {
        _ when !circumstances.RunValid => "the run is invalid",
        _ when row.First.Count == 0 || row.Second.Count == 0 => "an arm is missing",
        _ when row.Count < 2 => "n is below 2",
        _ when row.ConstantAndEqual => "both arms are constant and equal",
        _ => null,
    };

    // Reproduced and direction only are one side of a decision: they differ in how much may be claimed, not in what.
    private static bool Disagree(Verdict one, Verdict other) => Side(one) != Side(other);

    private static Verdict Side(Verdict verdict) => verdict == Verdict.Reproduced ? Verdict.DirectionOnly : verdict;

    private static RowVerdict Capped(Claim claim, Comparison row, Circumstances circumstances) => circumstances.NoiseFloor switch
    {
        null => new(row.Users, Verdict.DirectionOnly, $"would be reproduced; {circumstances.NoFloorBecause}"),
        { } floor when claim.Significant && Math.Abs(row.Ratio!.Value - 1) < floor =>
            new(row.Users, Verdict.DirectionOnly, "would be reproduced; the effect is below the noise floor"),
        { } floor when !claim.Significant && floor > claim.Margin =>
            new(row.Users, Verdict.DirectionOnly, "would be reproduced; the noise floor is above the margin"),
        _ => new(row.Users, Verdict.Reproduced, Reason(claim, row, Verdict.Reproduced)),
    };

    private static string Reason(Claim claim, Comparison row, Verdict verdict) => (verdict, claim.Significant) switch
    {
        (Verdict.Reproduced, true) => "the same sign, and the published ratio is inside the interval",
        (Verdict.Reproduced, false) => "no difference beyond the margin, as published",
        (Verdict.DirectionOnly, _) when row.Iterations.Ratio95?.Contains(claim.Ratio) != true => "the same sign, and the published ratio is outside the interval",
        (Verdict.DirectionOnly, _) => "the same sign; n is below 20 or there are fewer than 5 blocks",
        (Verdict.Contradicted, true) when row.Iterations.HolmP < Decision.Alpha => "significantly the other way",
        (Verdict.Contradicted, true) => "shown to be within half the published effect",
        (Verdict.Contradicted, false) => "a difference beyond the margin, where the paper found none",
        _ when row.Count < Decision.LeastCount => "not clear; n is below 20",
        _ => "not clear",
    };
}
