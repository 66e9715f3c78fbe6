namespace PubSubOverWs.Experiment.Statistics;

/// <summary>A confidence interval, ends included.</summary>
public readonly record struct Interval(double Low, double High)
{
    public bool Contains(double value) => Low <= value && value <= High;

    /// <summary>Wholly within the open interval from <paramref name="low"/> to <paramref name="high"/>.</summary>
    public bool Inside(double low, double high) => low < Low && High < high;

    /// <summary>Without a point in common with the open interval from <paramref name="low"/> to <paramref name="high"/>.</summary>
    public bool Outside(double low, double high) => High <= low || high <= Low;
}
