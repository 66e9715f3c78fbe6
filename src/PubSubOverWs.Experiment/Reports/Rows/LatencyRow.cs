using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Latency;

namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>
/// The shape of one arm's latency at one level, in ms. Exploratory: percentiles are medians over iterations of each iteration's own.
/// </summary>
/// <param name="Arm">direct or pubsub.</param>
/// <param name="Users">The level.</param>
/// <param name="Iterations">n.</param>
/// <param name="Mean">Over iterations, of the delivered.</param>
/// <param name="RestrictedMean">Over iterations, with what was lost counted at the deadline.</param>
/// <param name="P50">Null where an iteration has too few samples for it.</param>
/// <param name="P90">Null where an iteration has too few samples for it.</param>
/// <param name="P99">Null where an iteration has too few samples for it.</param>
/// <param name="Max">The largest of all.</param>
/// <param name="MeanFromDue">Over iterations, from the intended send.</param>
public sealed record LatencyRow(
    string Arm,
    int Users,
    int Iterations,
    double? Mean,
    double? RestrictedMean,
    double? P50,
    double? P90,
    double? P99,
    double? Max,
    double? MeanFromDue)
{
    /// <summary>Null, and not written: the record does not have the distributions of its iterations.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LatencyCurve? Curve { get; init; }
}

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
