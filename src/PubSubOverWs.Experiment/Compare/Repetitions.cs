using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>Whether two runs were repeated often enough to say anything about a difference.</summary>
public static class Repetitions
{
    /// <summary>What is missing, half a sentence for each run and arm; empty: nothing.</summary>
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
