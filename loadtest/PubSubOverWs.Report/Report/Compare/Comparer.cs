using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Compare;

/// <summary>Compares two runs arm by arm, metric by metric, level by level.</summary>
internal static class Comparer
{
    /// <summary>A table for each arm that both have and each metric; without a level in common there are none.</summary>
    public static IReadOnlyList<ComparedTable> Tables(RunFolder a, RunFolder b)
    {
        Level[] levels = [.. a.Run.Scenario.Levels.Intersect(b.Run.Scenario.Levels).Order(Level.Order)];
        return levels.Length == 0
            ? []
            : [..
                from metric in MessageMetrics.Compared from arm in a.Run.Scenario.Arms.Intersect(b.Run.Scenario.Arms)
                    select Table(a, b, arm.Name, metric, levels)];
    }

    private static ComparedTable Table(RunFolder a, RunFolder b, string arm, Metric metric, Level[] levels)
    {
        // B is the newer statement of what matters; records made before there were margins have none.
        var margin = metric.MarginOf(b.Run.Scenario.Margins) ?? metric.MarginOf(a.Run.Scenario.Margins);
        var samples = levels.Select(level => (Level: level, A: Sample(a, arm, level, metric), B: Sample(b, arm, level, metric))).ToArray();
        var iterations = Tested.Family(
            [.. samples.Select(level => (level.A.Iterations, level.B.Iterations))], margin, metric.Unit.Per);
        var blocks = Tested.Family([.. samples.Select(level => (level.A.Blocks, level.B.Blocks))], margin, metric.Unit.Per);
        var rows = samples.Select((sample, i) => Row(sample.Level, sample.A, sample.B) with
        {
            LostA = metric == MessageMetrics.Loss ? Count(a, arm, sample.Level) : null,
            LostB = metric == MessageMetrics.Loss ? Count(b, arm, sample.Level) : null,
            Iterations = metric.Primary ? iterations[i] : iterations[i] with { HolmP = null },
            BlockMeans = !metric.Primary || !(sample.A.Suffices && sample.B.Suffices) ? null : blocks[i],
        });
        return new ComparedTable(
            arm, metric.Name, metric.Unit.Text, metric.Primary, margin?.Text, [.. rows.Select(row => metric.Primary ? Judged(row) : row)]);
    }

    private static ComparedRow Row(Level level, LevelSample a, LevelSample b)
    {
        var momentsA = a.Iterations;
        var momentsB = b.Iterations;
        return new ComparedRow
        {
            Level = level,
            A = momentsA,
            B = momentsB,
            BlocksA = a.Blocks.Count,
            BlocksB = b.Blocks.Count,
            Difference95 = WelchTest.Difference(momentsA, momentsB, 0.95),
            Ratio = momentsA.Count == 0 || momentsB.Count == 0 ? null : Ratio.Compute(momentsA, momentsB),
            // Of no metric of messages a mean can be negative.
            Ratio95 = Ratio.Fieller(momentsA, momentsB, 0.95)?.FromZero(),
            Iterations = new Tested(null, null, null),
        };
    }

    private static ComparedRow Judged(ComparedRow row)
    {
        var (word, reason) = row switch
        {
            { A.Count: < 2 } or { B.Count: < 2 } => (ComparedWord.Inconclusive, "n is below 2"),
            _ when row.A.Variance == 0 && row.B.Variance == 0 && row.A.Mean == row.B.Mean => (ComparedWord.Equal, null),
            { BlockMeans: null } => (ComparedWord.Inconclusive, "one block"),
            _ when row.BlockMeans.Word != row.Iterations.Word => (ComparedWord.Inconclusive, "iterations and blocks disagree"),
            { Iterations.Word: ComparedWord.Inconclusive } => (ComparedWord.Inconclusive, "not clear"),
            _ => (row.Iterations.Word, (string?)null),
        };
        return row with { Word = word, Reason = reason };
    }

    private static LevelSample Sample(RunFolder folder, string arm, Level level, Metric metric) =>
        LevelSample.From(folder, arm, level, row => metric.Shown(folder.Run.Scenario, row));

    private static LossCount Count(RunFolder folder, string arm, Level level)
    {
        var buckets = ArmLevel.From(folder, arm, level).Buckets;
        return new LossCount(buckets.Lost, buckets.Attempts);
    }
}

/// <summary>The readings of one arm of one run at one level: one for each iteration that has a value.</summary>
/// <param name="Readings">In the order in which they ran.</param>
internal sealed record LevelSample(IReadOnlyList<Reading> Readings)
{
    /// <summary>The blocks that a comparison needs: one process is one draw, and a single draw has no spread.</summary>
    public const int LeastBlocks = 2;

    public Moments Iterations => Moments.Compute([.. Readings.Select(reading => reading.Value)]);

    /// <summary>Of the means of the blocks; their number is the number of blocks.</summary>
    public Moments Blocks =>
        Moments.Compute([.. Readings.GroupBy(reading => reading.Block).Select(block => block.Average(reading => reading.Value))]);

    public bool Suffices => Blocks.Count >= LeastBlocks;

    public static LevelSample From(RunFolder folder, string arm, Level level, Func<IterationRow, double?> metric) =>
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
        let sample = LevelSample.From(folder, arm.Name, level, row => row.Buckets.EndToEndLoss)
        where !sample.Suffices
        group level by (Arm: arm, Iterations: sample.Readings.Count, Blocks: sample.Blocks.Count) into lacking
        select $"{name} has {Format.Count(lacking.Key.Iterations, "iteration")} in {Format.Count(lacking.Key.Blocks, "block")} of "
            + $"{lacking.Key.Arm} "
            + $"at {string.Join(", ", lacking.Select(level => Format.Whole(level.Number)))} users";
}
