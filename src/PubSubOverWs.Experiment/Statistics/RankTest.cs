namespace PubSubOverWs.Experiment.Statistics;

/// <summary>What a test of ranks or of rearrangements found. Exploratory: no verdict looks at it.</summary>
/// <param name="Superiority">P(b above a) + P(b equal to a)/2, from 0 to 1; 0.5 where neither arm tends to be above the other.</param>
/// <param name="P">Two-sided.</param>
/// <param name="Method">How p was found.</param>
public sealed record RankTest(double Superiority, double P, PMethod Method);

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
