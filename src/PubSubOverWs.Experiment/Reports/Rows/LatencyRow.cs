using System.Text.Json.Serialization;

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
