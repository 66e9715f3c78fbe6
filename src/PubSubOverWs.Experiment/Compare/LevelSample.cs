using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>What one arm of one run read at one level: one value for each iteration that has it.</summary>
/// <param name="Readings">In the order in which they ran.</param>
internal sealed record LevelSample(IReadOnlyList<Reading> Readings)
{
    /// <summary>So many blocks a run needs to be held against another: one process is one draw, and a single draw has no spread.</summary>
    public const int LeastBlocks = 2;

    public Moments Iterations => Moments.Of([.. Readings.Select(reading => reading.Value)]);

    /// <summary>Of the means of the blocks; their number is the number of blocks.</summary>
    public Moments Blocks =>
        Moments.Of([.. Readings.GroupBy(reading => reading.Block).Select(block => block.Average(reading => reading.Value))]);

    public bool Suffices => Blocks.Count >= LeastBlocks;

    public static LevelSample Of(RunFolder folder, string arm, Level level, Func<IterationRow, double?> metric) =>
        new(MetricReadings.Read(folder, arm, level, metric));
}
