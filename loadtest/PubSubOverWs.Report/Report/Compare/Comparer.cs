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
        var (momentsA, momentsB) = (a.Iterations, b.Iterations);
        return new ComparedRow
        {
            Level = level,
            A = momentsA,
            B = momentsB,
            BlocksA = a.Blocks.Count,
            BlocksB = b.Blocks.Count,
            Difference95 = WelchTest.Difference(momentsA, momentsB, 0.95),
            Ratio = momentsA.Count == 0 || momentsB.Count == 0 ? null : Ratio.Of(momentsA, momentsB),
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
        LevelSample.Of(folder, arm, level, row => metric.Shown(folder.Run.Scenario, row));

    private static LossCount Count(RunFolder folder, string arm, Level level)
    {
        var buckets = ArmLevel.Of(folder, arm, level).Buckets;
        return new LossCount(buckets.Lost, buckets.Attempts);
    }
}
