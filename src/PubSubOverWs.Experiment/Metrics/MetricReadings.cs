using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Metrics;

/// <summary>The values that tables compare, one per iteration, in the units shown.</summary>
internal static class MetricReadings
{
    /// <summary>What both arms of the main contrast read at every level of the scenario.</summary>
    public static IReadOnlyList<LevelReadings> Read(RunFolder folder, Metric metric) =>
        Read(folder, metric, folder.Run.Scenario.Compared);

    /// <summary>The same of any contrast.</summary>
    public static IReadOnlyList<LevelReadings> Read(RunFolder folder, Metric metric, Contrast contrast) =>
    [
        .. folder.Run.Scenario.Levels.Select(level => new LevelReadings(
            level, Read(folder, contrast.First, level, metric), Read(folder, contrast.Second, level, metric))),
    ];

    /// <summary>What one arm reads at one level, in the order in which the iterations ran; those without a value are left out.</summary>
    public static IReadOnlyList<Reading> Read(RunFolder folder, string arm, Level level, Metric metric) =>
        Read(folder, arm, level, row => metric.Shown(folder.Run.Scenario, row));

    /// <summary>The same of any value.</summary>
    public static IReadOnlyList<Reading> Read(RunFolder folder, string arm, Level level, Func<IterationRow, double?> value) =>
    [
        .. from row in ArmLevel.Of(folder, arm, level).Rows
           let read = value(row)
           where read is not null
           // Servers that the run did not start were never started afresh: all is one block.
           select new Reading(folder.Run.SetUp.OwnServers ? row.Block : 1, row.Iteration, read.Value),
    ];
}
