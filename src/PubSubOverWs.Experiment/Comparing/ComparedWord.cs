namespace PubSubOverWs.Experiment.Comparing;

/// <summary>What a comparison of two runs says of one row.</summary>
public enum ComparedWord
{
    /// <summary>Neither a difference nor its absence is shown.</summary>
    Inconclusive,

    /// <summary>B's mean is above A's.</summary>
    Higher,

    /// <summary>B's mean is below A's.</summary>
    Lower,

    /// <summary>Whatever the difference is, it lies within the scenario's margin.</summary>
    Equivalent,

    /// <summary>Every iteration of both runs read the same: a fact, and no test.</summary>
    Equal,
}
