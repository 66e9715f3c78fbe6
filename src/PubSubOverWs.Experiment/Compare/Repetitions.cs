namespace PubSubOverWs.Experiment.Compare;

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
    public static IReadOnlyList<string> Lacking(RunFolder a, RunFolder b) => [.. Lacking(a, "A"), .. Lacking(b, "B")];

    private static IEnumerable<string> Lacking(RunFolder folder, string name) =>
        from arm in folder.Run.Scenario.Arms
        from level in folder.Run.Scenario.Levels
        let sample = LevelSample.Of(folder, arm.Name, level, row => row.Buckets.EndToEndLoss)
        where !sample.Suffices
        group level by (Arm: arm, Iterations: sample.Readings.Count, Blocks: sample.Blocks.Count) into levels
        select $"{name} has {Format.Count(levels.Key.Iterations, "iteration")} in {Format.Count(levels.Key.Blocks, "block")} of "
            + $"{levels.Key.Arm} "
            + $"at {string.Join(", ", levels.Select(level => Format.Whole(level.Number)))} users";
}
