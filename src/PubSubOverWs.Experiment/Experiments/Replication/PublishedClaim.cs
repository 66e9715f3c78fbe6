using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Experiments.Published;

namespace PubSubOverWs.Experiment.Experiments.Replication;

/// <summary>The paper's claim about one row, as a ratio that can be compared with a measured one.</summary>
/// <param name="Ratio">Published pubsub/direct.</param>
/// <param name="Significant">The paper calls the difference significant.</param>
/// <param name="Margin">Within 1 - margin to 1 + margin a ratio is as good as 1.</param>
/// <param name="Power">How often the paper's iterations and deviations find a difference as large as its own, from 0 to 1. Asked where it
/// called none significant.</param>
public sealed record PublishedClaim(double Ratio, bool Significant, double Margin, double Power)
{
    /// <summary>From here on "not significant" says that there was nothing to see.</summary>
    public const double LeastPower = 0.8;

    /// <summary>
    /// H3', bytes to clients per delivered message: no hypothesis of the paper's, but what is left of H3 when losses are taken out. The
    /// published bandwidth ratio over the ratio of delivered messages is 0.9917 to 1.0058, so 1 is held to be published; whether a test
    /// could have seen more is not asked.
    /// </summary>
    public static PublishedClaim BytesPerDelivered { get; } = new(1, false, 0.004, 1);

    /// <summary>Half the published effect where that is significant, else 1 %.</summary>
    /// <param name="published">A row of Table III.</param>
    /// <param name="power">Of that row.</param>
    public static PublishedClaim Latency(PublishedRow published, double power) =>
        new(published.Ratio, published.Significant, published.Significant ? 0.5 * Math.Abs(published.Ratio - 1) : 0.01, power);

    /// <summary>The decision of one way of testing about a row that is large enough to be judged: the code of docs/method.md.</summary>
    /// <param name="evidence">The measured ratio.</param>
    /// <remarks>Equivalence is asked before direction: what lies within the margin is neither more nor less, however small its p.</remarks>
    public PaperVerdict Decide(Evidence evidence)
    {
        var isAlike = evidence.Ratio90?.Inside(1 - Margin, 1 + Margin) == true;
        return Significant ? OfSignificant(evidence, isAlike) : OfNotSignificant(evidence, isAlike);
    }

    private PaperVerdict OfSignificant(Evidence evidence, bool isAlike)
    {
        if (isAlike)
            return PaperVerdict.Contradicted;
        if (!(evidence.HolmP < Decision.Alpha))
            return PaperVerdict.Inconclusive;
        if (evidence.Sign != Math.Sign(Ratio - 1))
            return PaperVerdict.Contradicted;
        return evidence.Ratio95?.Contains(Ratio) == true ? PaperVerdict.Reproduced : PaperVerdict.DirectionOnly;
    }

    private PaperVerdict OfNotSignificant(Evidence evidence, bool isAlike)
    {
        if (isAlike)
            return PaperVerdict.NoDifference;
        if (!(evidence.HolmP < Decision.Alpha && evidence.Ratio95?.Outside(1 - Margin, 1 + Margin) == true))
            return PaperVerdict.Inconclusive;
        return Power >= LeastPower ? PaperVerdict.Contradicted : PaperVerdict.NotSeenByPaper;
    }
}
