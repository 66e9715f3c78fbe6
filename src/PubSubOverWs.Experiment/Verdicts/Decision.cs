using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Verdicts;

/// <summary>The code of docs/method.md: what one way of testing decides about one row.</summary>
public static class Decision
{
    public const double Alpha = 0.05;

    /// <summary>Below this many iterations nothing is called reproduced, and no absence is shown.</summary>
    public const int LeastCount = 20;

    public const int LeastBlocks = 5;

    /// <param name="claim">What the paper says.</param>
    /// <param name="evidence">What was measured.</param>
    /// <param name="count">n, the smaller of both arms.</param>
    /// <param name="blocks">Blocks with both arms.</param>
    public static Verdict Of(Claim claim, Evidence evidence, int count, int blocks) => claim.Significant
        ? OfSignificant(claim, evidence, count, blocks)
        : OfNotSignificant(claim, evidence, count);

    private static Verdict OfSignificant(Claim claim, Evidence evidence, int count, int blocks)
    {
        if (evidence.HolmP < Alpha)
        {
            if (evidence.Sign != Math.Sign(claim.Ratio - 1))
                return Verdict.Contradicted;
            return evidence.Ratio95?.Contains(claim.Ratio) == true && count >= LeastCount && blocks >= LeastBlocks
                ? Verdict.Reproduced
                : Verdict.DirectionOnly;
        }

        return Inside(claim, evidence, count) ? Verdict.Contradicted : Verdict.Inconclusive;
    }

    private static Verdict OfNotSignificant(Claim claim, Evidence evidence, int count)
    {
        if (Inside(claim, evidence, count))
            return Verdict.Reproduced;
        return evidence.HolmP < Alpha && evidence.Ratio95?.Outside(1 - claim.Margin, 1 + claim.Margin) == true
            ? Verdict.Contradicted
            : Verdict.Inconclusive;
    }

    private static bool Inside(Claim claim, Evidence evidence, int count) =>
        evidence.Ratio90?.Inside(1 - claim.Margin, 1 + claim.Margin) == true && count >= LeastCount;
}
