using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Metrics;

/// <summary>The readings of both arms at one level, in the order in which they ran.</summary>
public sealed record LevelReadings(Level Level, IReadOnlyList<Reading> First, IReadOnlyList<Reading> Second)
{
    /// <inheritdoc cref="Measure.MayBeNegative"/>
    public bool MayBeNegative { get; init; }

    /// <summary>Iterations in which both arms have a value.</summary>
    public IReadOnlyList<(double First, double Second)> Pairs =>
        [.. First.Join(
            Second, one => one.Iteration, other => other.Iteration, (one, other) => (one.Iteration, one.Value, Other: other.Value))
            .OrderBy(pair => pair.Iteration).Select(pair => (pair.Value, pair.Other))];

    /// <summary>The means of each block in which both arms have a value.</summary>
    public IReadOnlyList<(double First, double Second)> BlockMeans =>
        [.. First.GroupBy(one => one.Block).Join(Second.GroupBy(one => one.Block), one => one.Key, other => other.Key, (one, other) => (
            one.Key, First: one.Average(reading => reading.Value), Second: other.Average(reading => reading.Value)))
            .OrderBy(block => block.Key).Select(block => (block.First, block.Second))];

    /// <summary>What is possible of an interval of the ratio of the means.</summary>
    internal Interval? PossibleOf(Interval? ratio) => MayBeNegative ? ratio : ratio?.FromZero();
}

/// <summary>The value of one metric in one iteration of one arm.</summary>
public readonly record struct Reading(int Block, int Iteration, double Value);

/// <summary>The values that tables compare, one per iteration, in the units shown.</summary>
internal static class MetricReadings
{
    /// <summary>The main contrast at every level of the scenario.</summary>
    public static IReadOnlyList<LevelReadings> Read(RunFolder folder, Metric metric) =>
        Read(folder, metric, folder.Run.Scenario.Compared);

    /// <summary>The same of any contrast.</summary>
    public static IReadOnlyList<LevelReadings> Read(RunFolder folder, Metric metric, Contrast contrast) =>
        [.. folder.Run.Scenario.Levels.Select(level => Read(folder, metric, contrast, level))];

    /// <summary>The same of one level.</summary>
    public static LevelReadings Read(RunFolder folder, Metric metric, Contrast contrast, Level level) =>
        new(level, Read(folder, contrast.First, level, metric), Read(folder, contrast.Second, level, metric))
        { MayBeNegative = metric.MayBeNegative };

    /// <summary>One arm at one level, in the order in which the iterations ran, without those that have no value.</summary>
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
