using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Compare;

/// <summary>The readings of one arm of one run at one level: one for each iteration that has a value.</summary>
/// <param name="Readings">In the order in which they ran.</param>
internal sealed record LevelSample(IReadOnlyList<Reading> Readings)
{
    /// <summary>The blocks that a comparison needs: one process is one draw, and a single draw has no spread.</summary>
    public const int LeastBlocks = 2;

    public Moments Iterations => Moments.Of([.. Readings.Select(reading => reading.Value)]);

    /// <summary>Of the means of the blocks; their number is the number of blocks.</summary>
    public Moments Blocks =>
        Moments.Of([.. Readings.GroupBy(reading => reading.Block).Select(block => block.Average(reading => reading.Value))]);

    public bool Suffices => Blocks.Count >= LeastBlocks;

    public static LevelSample Of(RunFolder folder, string arm, Level level, Func<IterationRow, double?> metric) =>
        new(MetricReadings.Read(folder, arm, level, metric));
}

/// <summary>Whether two runs were repeated often enough to say anything about a difference.</summary>
public static class Repetitions
{
    /// <summary>The missing repetitions, half a sentence for each run and arm; empty: none.</summary>
    public static IReadOnlyList<string> Lacking(RunFolder a, RunFolder b)
    {
        Level[] common = [.. a.Run.Scenario.Levels.Intersect(b.Run.Scenario.Levels)];
        return [.. Lacking(a, common, "A"), .. Lacking(b, common, "B")];
    }

    private static IEnumerable<string> Lacking(RunFolder folder, Level[] levels, string name) =>
        from arm in folder.Run.Scenario.Arms
        from level in levels
        let sample = LevelSample.Of(folder, arm.Name, level, row => row.Buckets.EndToEndLoss)
        where !sample.Suffices
        group level by (Arm: arm, Iterations: sample.Readings.Count, Blocks: sample.Blocks.Count) into lacking
        select $"{name} has {Format.Count(lacking.Key.Iterations, "iteration")} in {Format.Count(lacking.Key.Blocks, "block")} of "
            + $"{lacking.Key.Arm} "
            + $"at {string.Join(", ", lacking.Select(level => Format.Whole(level.Number)))} users";
}
