namespace PubSubOverWs.Experiment.Statistics;

/// <summary>How a p was found.</summary>
public enum PMethod
{
    /// <summary>From all rearrangements of the values.</summary>
    Exact,

    /// <summary>From rearrangements drawn with a seed.</summary>
    Drawn,

    /// <summary>From a distribution that the statistic approaches as n grows.</summary>
    Approximate,
}
