namespace PubSubOverWs.Experiment.Verdicts;

/// <summary>What a measured row says about a published one.</summary>
public enum Verdict
{
    /// <summary>The run cannot answer.</summary>
    NotTestable,

    /// <summary>Significantly the other way, or shown to be as good as absent.</summary>
    Contradicted,

    /// <summary>It could have been answered, and was not clear.</summary>
    Inconclusive,

    /// <summary>The same sign; the size is not confirmed, or may not be.</summary>
    DirectionOnly,

    /// <summary>The same sign and a size that agrees with the published.</summary>
    Reproduced,
}
