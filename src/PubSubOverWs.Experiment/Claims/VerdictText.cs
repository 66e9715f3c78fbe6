namespace PubSubOverWs.Experiment.Claims;

/// <summary>Verdicts as reports write them.</summary>
public static class VerdictText
{
    public static string Of(Verdict verdict) => verdict switch
    {
        Verdict.NotTestable => "not testable",
        Verdict.Contradicted => "contradicted",
        Verdict.NotJudged => "not judged (quick)",
        Verdict.NotSeenByPaper => "difference, where the paper could not have seen one",
        Verdict.NoDifference => "no difference, as published",
        Verdict.Inconclusive => "inconclusive",
        Verdict.DirectionOnly => "direction only",
        Verdict.Reproduced => "reproduced",
        _ => throw new ArgumentOutOfRangeException(nameof(verdict), verdict, "There is no such verdict."),
    };
}
