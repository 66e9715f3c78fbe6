namespace PubSubOverWs.Experiment.Reports;

/// <summary>A point of a percentile curve.</summary>
/// <param name="OneIn">1/(1-p): at most one message in so many was slower.</param>
/// <param name="Ms">Than this.</param>
public readonly record struct CurvePoint(double OneIn, double Ms);
