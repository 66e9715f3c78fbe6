namespace PubSubOverWs.Experiment.Statistics;

/// <summary>What a t-test found.</summary>
/// <param name="T">Second less first, over its standard error; infinite when two constants differ.</param>
/// <param name="DegreesOfFreedom">Need not be whole.</param>
/// <param name="P">Two-sided.</param>
public sealed record TTest(double T, double DegreesOfFreedom, double P);
