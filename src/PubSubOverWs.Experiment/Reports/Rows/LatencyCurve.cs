using PubSubOverWs.Experiment.Latency;

namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>
/// All delivered messages of one arm at one level together: the histograms of its iterations, merged; each value is known to 1 in 1,000.
/// Exploratory.
/// </summary>
/// <param name="Messages">How many.</param>
/// <param name="Percentiles">p50, p90, p99 and p99.9, as far as there are ten messages on either side.</param>
/// <param name="Points">What is drawn, from the quickest on.</param>
public sealed record LatencyCurve(long Messages, IReadOnlyList<Percentile> Percentiles, IReadOnlyList<CurvePoint> Points);

/// <summary>A point of a percentile curve.</summary>
/// <param name="OneIn">1/(1-p): at most one message in so many was slower.</param>
/// <param name="Ms">Than this.</param>
public readonly record struct CurvePoint(double OneIn, double Ms);
