using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>The latency of one arm at one level, in ms. Exploratory.</summary>
/// <param name="Arm">Its name.</param>
/// <param name="Users">The level.</param>
/// <param name="Iterations">n.</param>
/// <param name="Mean">Over iterations, of delivered messages.</param>
/// <param name="RestrictedMean">Over iterations, with lost messages counted at the deadline.</param>
/// <param name="P50">The median of the iterations' own; null where one has too few samples for it.</param>
/// <param name="P90">As P50, from 100 samples.</param>
/// <param name="P99">As P50, from 1,000 samples.</param>
/// <param name="Max">The largest of all.</param>
/// <param name="MeanFromDue">Over iterations, from the scheduled send.</param>
public sealed record LatencyRow(
    string Arm, int Users, int Iterations, double? Mean, double? RestrictedMean, double? P50, double? P90, double? P99, double? Max,
    double? MeanFromDue)
{
    /// <summary>Null, and not written: the record lacks the distributions of its iterations.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LatencyCurve? Curve { get; init; }
}

/// <summary>The merged histograms of all iterations of one arm at one level; each value is known to 1 in 1,000. Exploratory.</summary>
/// <param name="Messages">How many.</param>
/// <param name="Percentiles">p50, p90, p99 and p99.9, as far as ten messages are on either side.</param>
/// <param name="Points">The curve, from the lowest latency up.</param>
public sealed record LatencyCurve(long Messages, IReadOnlyList<Percentile> Percentiles, IReadOnlyList<CurvePoint> Points);

/// <param name="OneIn">1/(1-p): at most one message in this many was slower.</param>
/// <param name="Ms">Than this.</param>
public readonly record struct CurvePoint(double OneIn, double Ms);

/// <summary>The resolution of the iterations and blocks of one level, given their scatter.</summary>
/// <param name="Users">The level.</param>
/// <param name="Latency">Half the width of the 95 % interval of R of mean latencies, of the judged unit. Null: no interval.</param>
/// <param name="Detectable">The smallest |R - 1| that the test detects with a power of 80 %, before Holm's correction. Null: nothing was
/// tested, or no scatter.</param>
public sealed record Resolution(int Users, double? Latency, double? Detectable)
{
    internal static Resolution Of(Comparison latency) => new(
        latency.Users, (latency.Judged.Ratio95?.High - latency.Judged.Ratio95?.Low) / 2,
        Statistics.Detectable.Ratio(latency.Judged, latency.First));
}

/// <summary>The latency of a null echo at one level, in ms: what the load takes by itself.</summary>
/// <param name="Users">The level.</param>
/// <param name="Iterations">One per block.</param>
/// <param name="Mean">Over iterations.</param>
/// <param name="Lowest">The lowest mean of an iteration.</param>
/// <param name="Highest">The highest mean of an iteration.</param>
public sealed record FloorRow(int Users, int Iterations, double? Mean, double? Lowest, double? Highest)
{
    /// <summary>The mean over that of the first arm; null: that was not measured.</summary>
    public double? OfFirst { get; init; }
}
