namespace PubSubOverWs.Experiment.Statistics;

/// <summary>What both arms read at one level, in the order in which they ran.</summary>
public sealed record LevelReadings(int Users, IReadOnlyList<Reading> Direct, IReadOnlyList<Reading> PubSub)
{
    /// <summary>Iterations in which both arms have a value.</summary>
    public IReadOnlyList<(double Direct, double PubSub)> Pairs =>
        [.. Direct.Join(PubSub, one => one.Iteration, other => other.Iteration, (one, other) => (one.Iteration, one.Value, Other: other.Value))
            .OrderBy(pair => pair.Iteration).Select(pair => (pair.Value, pair.Other))];

    /// <summary>The means of each block in which both arms have a value.</summary>
    public IReadOnlyList<(double Direct, double PubSub)> BlockMeans =>
        [.. Direct.GroupBy(one => one.Block).Join(PubSub.GroupBy(one => one.Block), one => one.Key, other => other.Key, (one, other) => (
            one.Key, Direct: one.Average(reading => reading.Value), PubSub: other.Average(reading => reading.Value)))
            .OrderBy(block => block.Key).Select(block => (block.Direct, block.PubSub))];
}
