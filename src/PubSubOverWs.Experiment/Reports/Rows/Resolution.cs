using PubSubOverWs.Experiment.Metrics;

namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>What this many iterations and blocks can tell apart at one level, with the scatter that they had.</summary>
/// <param name="Users">The level.</param>
/// <param name="Latency">Half the width of the 95 % interval of R of mean latencies, of the unit that is judged. Null: there is no
/// interval.</param>
/// <param name="Detectable">The smallest |R - 1| that the test tells from none four times in five, before Holm's correction. Null: nothing
/// was tested, or nothing scattered.</param>
public sealed record Resolution(int Users, double? Latency, double? Detectable)
{
    /// <param name="latency">Mean latencies of the level.</param>
    internal static Resolution Of(Comparison latency) => new(
        latency.Users, (latency.Judged.Ratio95?.High - latency.Judged.Ratio95?.Low) / 2,
        Statistics.Detectable.Ratio(latency.Judged, latency.First));
}
