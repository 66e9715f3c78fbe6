using PubSubOverWs.Experiment.Claims;

namespace PubSubOverWs.Experiment.Experiments.Replication;

/// <summary>Judges a row by its ratio: latency, and bytes per delivered message. Loss rows go by <see cref="LossJudge"/> only.</summary>
public static class RowJudge
{
    public static RowVerdict Judge(PublishedClaim claim, Comparison row, Circumstances circumstances)
    {
        if (NotTestable(row, circumstances) is { } why)
            return new(row.Users, PaperVerdict.NotTestable, why);
        if (NotJudged(row.Count, row.Blocks) is { } small)
            return new(row.Users, PaperVerdict.NotJudged, small);
        var verdict = claim.Decide(row.Judged);
        if (row.IsByBlocks && Disagree(verdict, claim.Decide(row.Iterations)))
            return new(row.Users, PaperVerdict.Inconclusive, "blocks and iterations disagree");
        if (row.Effective is { } fewer && Disagree(verdict, claim.Decide(fewer)))
            return new(row.Users, PaperVerdict.Inconclusive, Resemble(fewer));
        return verdict is PaperVerdict.Reproduced or PaperVerdict.NoDifference
            ? Capped(claim, row, verdict, circumstances)
            : new(row.Users, verdict, Reason(claim, row, verdict));
    }

    /// <summary>Why no test of this row means anything; null: it can be tested.</summary>
    internal static string? NotTestable(Comparison row, Circumstances circumstances) => row switch
    {
        _ when !circumstances.RunValid => "the run is invalid",
        _ when row.First.Count == 0 || row.Second.Count == 0 => "an arm is missing",
        _ when row.Count >= 2 && row.ConstantAndEqual => "both arms are constant and equal",
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
    private static bool Disagree(PaperVerdict one, PaperVerdict other) => Side(one) != Side(other);

    private static PaperVerdict Side(PaperVerdict verdict) => verdict == PaperVerdict.Reproduced ? PaperVerdict.DirectionOnly : verdict;

    private static RowVerdict Capped(PublishedClaim claim, Comparison row, PaperVerdict verdict, Circumstances circumstances)
    {
        return (verdict, circumstances.NoiseFloor) switch
        {
            (PaperVerdict.Reproduced, null) => Only(
                PaperVerdict.DirectionOnly, $"would be reproduced; {circumstances.NoFloorBecause}"),
            (PaperVerdict.Reproduced, { } floor) when Math.Abs(row.Ratio!.Value - 1) < floor => Only(
                PaperVerdict.DirectionOnly, "would be reproduced; the effect is below the noise floor"),
            (PaperVerdict.NoDifference, null) => Only(
                PaperVerdict.Inconclusive, $"no difference beyond the margin, as published; {circumstances.NoFloorBecause}"),
            (PaperVerdict.NoDifference, { } floor) when floor > claim.Margin => Only(
                PaperVerdict.Inconclusive, "no difference beyond the margin, as published; the noise floor is above the margin"),
            _ => Only(verdict, Reason(claim, row, verdict)),
        };

        RowVerdict Only(PaperVerdict atMost, string reason) => new(row.Users, atMost, reason);
    }

    private static string Reason(PublishedClaim claim, Comparison row, PaperVerdict verdict) => (verdict, claim.Significant) switch
    {
        (PaperVerdict.Reproduced, _) => "the same sign, and the published ratio is inside the interval",
        (PaperVerdict.NoDifference, _) => "no difference beyond the margin",
        (PaperVerdict.DirectionOnly, _) => "the same sign, and the published ratio is outside the interval",
        (PaperVerdict.Contradicted, true) when row.Judged.Ratio90?.Inside(1 - claim.Margin, 1 + claim.Margin) == true =>
            "shown to be within half the published effect",
        (PaperVerdict.Contradicted, true) => "significant in the other direction",
        (PaperVerdict.Contradicted, false) => "a difference beyond the margin, where none is expected",
        (PaperVerdict.NotSeenByPaper, _) =>
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
