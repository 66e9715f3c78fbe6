using PubSubOverWs.Experiment.Claims;

namespace PubSubOverWs.Experiment.Experiments.Replication;

/// <summary>Judges a row by its ratio: latency, and bytes per delivered message. Loss rows go by <see cref="LossJudge"/> only.</summary>
public static class RowJudge
{
    public static RowVerdict Judge(PublishedClaim claim, Comparison row, Circumstances circumstances)
    {
        if (NotTestable(row, circumstances) is { } why)
            return new(row.Users, Verdict.NotTestable, why);
        if (NotJudged(row.Count, row.Blocks) is { } small)
            return new(row.Users, Verdict.NotJudged, small);
        var verdict = claim.Decide(row.Judged);
        if (row.IsByBlocks && Disagree(verdict, claim.Decide(row.Iterations)))
            return new(row.Users, Verdict.Inconclusive, "blocks and iterations disagree");
        if (row.Effective is { } fewer && Disagree(verdict, claim.Decide(fewer)))
            return new(row.Users, Verdict.Inconclusive, Resemble(fewer));
        return verdict is Verdict.Reproduced or Verdict.NoDifference
            ? Capped(claim, row, verdict, circumstances)
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

    /// <summary>Why a row is too small for a verdict; null: it is large enough.</summary>
    /// <param name="count">n, the smaller of both arms.</param>
    /// <param name="blocks">With servers of their own, in which both arms have a value.</param>
    internal static string? NotJudged(int count, int blocks) => count >= Decision.LeastCount && blocks >= Comparison.LeastBlocks
        ? null
        : $"n is {count} in {blocks} block{(blocks == 1 ? "" : "s")}, and a verdict needs {Decision.LeastCount} in "
            + $"{Comparison.LeastBlocks}";

    /// <summary>Why the effective number of iterations keeps a row from being decided.</summary>
    internal static string Resemble(Evidence fewer) => fewer.Test is null
        ? "neighbouring iterations resemble each other so much that n_eff is below 2, too few to decide"
        : "neighbouring iterations resemble each other, and n_eff decides otherwise";

    // Reproduced and direction only are one side of a decision: they differ in how much may be claimed, not in what.
    private static bool Disagree(Verdict one, Verdict other) => Side(one) != Side(other);

    private static Verdict Side(Verdict verdict) => verdict == Verdict.Reproduced ? Verdict.DirectionOnly : verdict;

    private static RowVerdict Capped(
        PublishedClaim claim, Comparison row, Verdict verdict, Circumstances circumstances) => (verdict, circumstances.NoiseFloor) switch
        {
            (Verdict.Reproduced, null) => new(row.Users, Verdict.DirectionOnly, $"would be reproduced; {circumstances.NoFloorBecause}"),
            (Verdict.Reproduced, { } floor) when Math.Abs(row.Ratio!.Value - 1) < floor =>
                new(row.Users, Verdict.DirectionOnly, "would be reproduced; the effect is below the noise floor"),
            (Verdict.NoDifference, null) =>
                new(row.Users, Verdict.Inconclusive, $"no difference beyond the margin, as published; {circumstances.NoFloorBecause}"),
            (Verdict.NoDifference, { } floor) when floor > claim.Margin =>
                new(row.Users, Verdict.Inconclusive, "no difference beyond the margin, as published; the noise floor is above the margin"),
            _ => new(row.Users, verdict, Reason(claim, row, verdict)),
        };

    private static string Reason(PublishedClaim claim, Comparison row, Verdict verdict) => (verdict, claim.Significant) switch
    {
        (Verdict.Reproduced, _) => "the same sign, and the published ratio is inside the interval",
        (Verdict.NoDifference, _) => "no difference beyond the margin",
        (Verdict.DirectionOnly, _) => "the same sign, and the published ratio is outside the interval",
        (Verdict.Contradicted, true) when row.Judged.Ratio90?.Inside(1 - claim.Margin, 1 + claim.Margin) == true =>
            "shown to be within half the published effect",
        (Verdict.Contradicted, true) => "significant in the other direction",
        (Verdict.Contradicted, false) => "a difference beyond the margin, where none is expected",
        (Verdict.NotSeenByPaper, _) =>
            Invariant($"significant here; the paper's power for its own difference was {claim.Power * 100:0} %, and it claims none"),
        _ => "not clear",
    };
}

/// <summary>Conditions that hold for all rows of a table.</summary>
/// <param name="RunValid">No validity check is broken.</param>
/// <param name="NoiseFloor">The largest |R - 1| of the metric between two instances of one server, of loss the largest difference in
/// percentage points; null: there is none.</param>
/// <param name="NoFloorBecause">Why there may be none.</param>
public sealed record Circumstances(bool RunValid, double? NoiseFloor, string NoFloorBecause = "noise floor not measured");
