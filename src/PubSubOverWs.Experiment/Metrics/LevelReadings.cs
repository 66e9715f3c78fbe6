using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Experiment.Metrics;

/// <summary>What both arms read at one level, in the order in which they ran.</summary>
public sealed record LevelReadings(Level Level, IReadOnlyList<Reading> First, IReadOnlyList<Reading> Second)
{
    /// <summary>Iterations in which both arms have a value.</summary>
    public IReadOnlyList<(double First, double Second)> Pairs =>
        [.. First.Join(
            Second, one => one.Iteration, other => other.Iteration, (one, other) => (one.Iteration, one.Value, Other: other.Value))
            .OrderBy(pair => pair.Iteration).Select(pair => (pair.Value, pair.Other))];

    /// <summary>The means of each block in which both arms have a value.</summary>
    public IReadOnlyList<(double First, double Second)> BlockMeans =>
        [.. BlockMeansByBlock.OrderBy(block => block.Key).Select(block => block.Value)];

    /// <summary>The same, by the number of the block.</summary>
    public IReadOnlyDictionary<int, (double First, double Second)> BlockMeansByBlock =>
        First.GroupBy(one => one.Block).Join(Second.GroupBy(one => one.Block), one => one.Key, other => other.Key, (one, other) => (
            one.Key, First: one.Average(reading => reading.Value), Second: other.Average(reading => reading.Value)))
            .ToDictionary(block => block.Key, block => (block.First, block.Second));
}

/// <summary>The value of one metric in one iteration of one arm.</summary>
public readonly record struct Reading(int Block, int Iteration, double Value);
