using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Claims;

/// <summary>The code of docs/method.md: what one way of testing decides about one row that is large enough to be judged.</summary>
public static class Decision
{
    public const double Alpha = 0.05;

    /// <summary>Below this many iterations of an arm nothing is judged.</summary>
    public const int LeastCount = 20;

    /// <param name="claim">What the paper says.</param>
    /// <param name="evidence">What was measured.</param>
    /// <remarks>Equivalence is asked before direction: what lies within the margin is neither more nor less, however small its p.</remarks>
    public static Verdict Of(Claim claim, Evidence evidence)
    {
        var isAlike = evidence.Ratio90?.Inside(1 - claim.Margin, 1 + claim.Margin) == true;
        return claim.Significant ? OfSignificant(claim, evidence, isAlike) : OfNotSignificant(claim, evidence, isAlike);
    }

    private static Verdict OfSignificant(Claim claim, Evidence evidence, bool isAlike)
    {
        if (isAlike)
            return Verdict.Contradicted;
        if (!(evidence.HolmP < Alpha))
            return Verdict.Inconclusive;
        if (evidence.Sign != Math.Sign(claim.Ratio - 1))
            return Verdict.Contradicted;
        return evidence.Ratio95?.Contains(claim.Ratio) == true ? Verdict.Reproduced : Verdict.DirectionOnly;
    }

    private static Verdict OfNotSignificant(Claim claim, Evidence evidence, bool isAlike)
    {
        if (isAlike)
            return Verdict.NoDifference;
        if (!(evidence.HolmP < Alpha && evidence.Ratio95?.Outside(1 - claim.Margin, 1 + claim.Margin) == true))
            return Verdict.Inconclusive;
        return claim.Power >= Claim.LeastPower ? Verdict.Contradicted : Verdict.NotSeenByPaper;
    }
}
