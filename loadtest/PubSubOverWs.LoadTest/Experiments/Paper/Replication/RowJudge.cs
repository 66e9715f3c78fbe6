namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>Judges a row: direction first, then size (docs/reference/method.md, "Verdicts").</summary>
public static class RowJudge
{
    /// <summary>Bytes to clients per delivered message within 0.4 % of each other are alike.</summary>
    public const double BytesMargin = 0.004;

    private const string Disagree = "blocks and iterations disagree";

    /// <summary>A claim that the paper makes about two arms.</summary>
    public static RowVerdict Judge(PublishedClaim claim, Comparison row, Circumstances circumstances)
    {
        if (Unjudged(row, circumstances) is { } why)
            return why with { IsClaimed = claim.IsClaimed };
        var (direction, reason) = DirectionOf(row, claim.DirectionOf);
        var found = new RowVerdict(row.Users, PaperVerdict.Open, reason) { IsClaimed = claim.IsClaimed, Direction = direction };
        return direction switch
        {
            _ when !claim.IsClaimed => found with { Verdict = PaperVerdict.NotClaimed, Reason = $"not significant in the paper; {reason}" },
            Direction.Open => found,
            Direction.AsClaimed => Sized(found, claim.SizeOf(row.Judged), claim.Scale.Effect(row), circumstances),
            _ => found with { Verdict = PaperVerdict.Contradicted },
        };
    }

    /// <summary>
    /// H3', bytes to clients per delivered message: no hypothesis of the paper's, but what is left of H3 when losses are taken out. Equal
    /// by construction, so alike is what it claims, and there is no published size.
    /// </summary>
    public static RowVerdict Same(Comparison row, Circumstances circumstances)
    {
        var margin = EffectScale.MarginOfRatio(BytesMargin);
        if (Unjudged(row, circumstances) is { } why)
            return why;
        var (direction, reason) = DirectionOf(row, evidence => EffectScale.Ratio.Interval90(evidence) switch
        {
            { } interval when interval.Inside(margin.Low, margin.High) => Direction.Alike,
            _ when evidence.HolmP < Decision.Alpha
                && EffectScale.Ratio.Interval95(evidence)?.Outside(margin.Low, margin.High) == true => Direction.Opposite,
            _ => Direction.Open,
        });
        var found = new RowVerdict(row.Users, PaperVerdict.Open, reason) { Direction = direction };
        return (direction, circumstances.NoiseFloor) switch
        {
            (Direction.Opposite, _) => found with { Verdict = PaperVerdict.Contradicted, Reason = "a difference beyond the margin" },
            (Direction.Alike, null) => found with { Reason = $"{reason}; {circumstances.NoFloorBecause}" },
            (Direction.Alike, { } floor) when floor > margin.High =>
                found with { Reason = $"{reason}; the noise floor is above the margin" },
            (Direction.Alike, _) => found with { Verdict = PaperVerdict.NoDifference },
            _ => found,
        };
    }

    /// <summary>The verdict where the direction is as claimed.</summary>
    /// <param name="size">Of its effect.</param>
    /// <param name="effect">On the scale of the claim.</param>
    /// <param name="circumstances">With a noise floor on the same scale.</param>
    internal static RowVerdict Sized(RowVerdict found, Size size, double? effect, Circumstances circumstances)
    {
        found = found with { Verdict = PaperVerdict.DirectionOnly, Size = size };
        return (size, circumstances.NoiseFloor) switch
        {
            (Size.Other, _) => found with { Reason = "the published size is outside the interval" },
            (Size.TooCoarse, _) => found with { Reason = "the interval is too wide to confirm the published size" },
            (_, null) => found with { Reason = $"would be reproduced; {circumstances.NoFloorBecause}" },
            (_, { } floor) when !(Math.Abs(effect ?? 0) >= floor) =>
                found with { Reason = "would be reproduced; the effect is below the noise floor" },
            _ => found with { Verdict = PaperVerdict.Reproduced, Reason = "the direction as claimed, and the published size" },
        };
    }

    /// <summary>Why a row has no verdict; null: it is judged.</summary>
    internal static RowVerdict? Unjudged(Comparison row, Circumstances circumstances)
    {
        return row switch
        {
            _ when !circumstances.RunValid => NotTestable("the run is invalid"),
            _ when row.First.Count == 0 || row.Second.Count == 0 => NotTestable("an arm is missing"),
            _ when row.Count >= 2 && row.ConstantAndEqual => NotTestable("both arms are constant and equal"),
            _ => TooSmall(row.Users, row.Count, row.Blocks),
        };

        RowVerdict NotTestable(string why) => new(row.Users, PaperVerdict.NotTestable, why);
    }

    /// <summary>A level that is too small for a verdict; null: it is large enough.</summary>
    /// <param name="count">n, the smaller of both arms.</param>
    /// <param name="blocks">With servers of their own, in which both arms have a value.</param>
    internal static RowVerdict? TooSmall(int users, int count, int blocks) =>
        count >= Decision.LeastCount && blocks >= Comparison.LeastBlocks ? null : new(
            users, PaperVerdict.NotJudged,
            $"n is {count} in {Format.Count(blocks, "block")}, and a verdict needs {Decision.LeastCount} in {Comparison.LeastBlocks}");

    /// <summary>The blocks decide; the iterations, and n_eff where it was assessed, must agree.</summary>
    internal static (Direction Direction, string Reason) DirectionOf(Comparison row, Func<Evidence, Direction> decide)
    {
        var direction = decide(row.Judged);
        if (decide(row.Iterations) != direction)
            return (Direction.Open, Disagree);
        if (row.Effective is { } fewer && decide(fewer) != direction)
            return (Direction.Open, fewer.Test is null
                ? "neighbouring iterations resemble each other so much that n_eff is below 2, too few to decide"
                : "neighbouring iterations resemble each other, and n_eff decides otherwise");
        return (direction, direction switch
        {
            Direction.Alike => "shown to be within the margin",
            Direction.AsClaimed => "significant in the direction of the claim",
            Direction.Opposite => "significant in the other direction",
            _ => "no direction is shown",
        });
    }
}

/// <summary>Conditions that hold for all rows of a table.</summary>
/// <param name="RunValid">No validity check is broken.</param>
/// <param name="NoiseFloor">The most by which two instances of one server may differ, on the scale of the table's effects: ln R, or
/// percentage points of loss; null: there is none.</param>
/// <param name="NoFloorBecause">Why there may be none.</param>
public sealed record Circumstances(bool RunValid, double? NoiseFloor, string NoFloorBecause = "noise floor not measured");
