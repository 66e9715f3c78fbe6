namespace PubSubOverWs.Experiment.Claims;

/// <summary>What a measured row says about a published one.</summary>
public enum Verdict
{
    /// <summary>The run cannot answer.</summary>
    NotTestable,

    /// <summary>Significantly the other way, or shown to be as good as absent.</summary>
    Contradicted,

    /// <summary>The run is too small for a verdict: fewer than 20 iterations of an arm, or fewer than 5 blocks.</summary>
    NotJudged,

    /// <summary>It could have been answered, and was not clear.</summary>
    Inconclusive,

    /// <summary>
    /// A difference where the paper called none significant, and could not have: with its deviations it would have missed one as large as
    /// its own.
    /// </summary>
    NotSeenByPaper,

    /// <summary>The same sign; the size is not confirmed, or may not be.</summary>
    DirectionOnly,

    /// <summary>Shown to be as good as absent, where the paper called no difference significant.</summary>
    NoDifference,

    /// <summary>The same sign and a size that agrees with the published.</summary>
    Reproduced,
}
