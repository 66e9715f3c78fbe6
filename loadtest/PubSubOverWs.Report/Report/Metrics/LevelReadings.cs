using PubSubOverWs.Report.Documents;
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
        .. from row in ArmLevel.From(folder, arm, level).Rows
           let read = value(row)
           where read is not null
           // Servers that the run did not start were never started afresh: all is one block.
           select new Reading(folder.Run.SetUp.OwnServers ? row.Block : 1, row.Iteration, read.Value),
    ];
}

/// <summary>
/// When an arm holds a rate: nothing is lost, nearly everything that is offered is achieved, and the p99 latency stays within a limit. The
/// knee of an arm is the highest rate that it holds together with all lower ones.
/// </summary>
/// <param name="Limits">Of the p99 latency; each gives a knee of its own.</param>
/// <param name="Achieved">What a trial achieved, in the unit of the rate; null: that is not known, and the rate is not held.</param>
public sealed record KneeRule(IReadOnlyList<KneeLimit> Limits, Func<IterationRow, double?> Achieved)
{
    /// <summary>Of the offered rate.</summary>
    public const double LeastAchieved = 0.99;

    public bool Holds(IterationRow row, KneeLimit limit) => WhyNot(row, limit) is null;

    /// <summary>Half a sentence; null: it held the rate of its level.</summary>
    /// <exception cref="InvalidOperationException">Its level is no rate.</exception>
    public string? WhyNot(IterationRow row, KneeLimit limit)
    {
        var offered = row.Level.Rate ?? throw new InvalidOperationException($"{row.Level} is no rate.");
        if (row.Buckets.Lost > 0)
            return $"{Format.Whole(row.Buckets.Lost)} of {Format.Whole(row.Buckets.Attempts)} lost";
        if (Achieved(row) is not { } achieved)
            return "the achieved rate is not known";
        if (achieved < LeastAchieved * offered)
            return $"{Format.Fixed(achieved, 0)} of {Format.Whole(offered)} achieved";
        return row.Latency.P99 is not { } p99 ? "too few messages for a p99"
            : p99 > limit.P99.TotalMicroseconds ? $"p99 {Format.Short(p99 / 1000)} ms"
            : null;
    }
}

/// <param name="P99">The highest latency with which a rate counts as held.</param>
/// <param name="About">Where it comes from, in a few words; empty: nowhere.</param>
public sealed record KneeLimit(TimeSpan P99, string About = "")
{
    /// <summary>Such as <c>p99 up to 100 ms</c>.</summary>
    public override string ToString() => $"p99 up to {Format.Short(P99.TotalMilliseconds)} ms";
}
