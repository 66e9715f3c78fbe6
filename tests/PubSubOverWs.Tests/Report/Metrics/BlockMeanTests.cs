using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Statistics;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Report.Metrics;

/// <summary>Blocks are the unit that is judged. The committed run's values were recomputed in Python.</summary>
public sealed class BlockMeanTests
{
    // Shrout and Fleiss (1979), table 2: ICC(1,1) is 0.17.
    [Fact]
    public void The_intra_class_correlation_agrees_with_Shrout_and_Fleiss() => Close.Relative(
        0.16574181,
        IntraClass.Correlation([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])!.Value,
        1e-6);

    [Fact]
    public void Without_two_blocks_or_two_readings_in_one_there_is_no_intra_class_correlation()
    {
        Assert.Null(IntraClass.Correlation([[1, 2, 3]]));
        Assert.Null(IntraClass.Correlation([[1], [2]]));
        Assert.Null(IntraClass.Correlation([[1, 1], [1, 1]]));
        Assert.Equal(1, IntraClass.Correlation([[1, 1], [2, 2]]));
    }

    [Fact]
    public void From_five_blocks_on_block_means_are_judged_in_place_of_iterations()
    {
        var run = RecordReader.Read(Path.Combine(SourceTree.Root, CommittedRuns.Burst));
        var row = Comparisons.Compute(MetricReadings.Read(run, MessageMetrics.Latency))
            .Single(level => level.Users == 50);
        Assert.Equal((1.89, 4.25), (Math.Round(row.Iterations.Ratio95!.Value.Low, 2), Math.Round(row.Iterations.Ratio95.Value.High, 2)));
        Assert.Equal((1.72, 5.39), (Math.Round(row.BlockMeans!.Ratio95!.Value.Low, 2), Math.Round(row.BlockMeans.Ratio95.Value.High, 2)));
        Close.Relative(0.06833, row.FirstIntraClass!.Value, 1e-3);
        Assert.True(row.IsByBlocks);
        Assert.Same(row.BlockMeans, row.Judged);
    }

    [Fact]
    public void Below_five_blocks_iterations_are_judged()
    {
        var row = Comparisons.Compute([new LevelReadings(Some.Level(50), Readings(1), Readings(2))])[0];
        Assert.Equal(4, row.Blocks);
        Assert.False(row.IsByBlocks);
        Assert.Same(row.Iterations, row.Judged);
    }

    // Cohen (1988), table 2.4.1: t tests of means, power .80, two-sided .05: d = 0.5 takes n = 64 in each arm.
    [Fact]
    public void The_detectable_effect_agrees_with_Cohens_table()
    {
        var standardErrors = Detectable.InStandardErrors(126);
        Assert.InRange(standardErrors * Math.Sqrt(2 / 64.0), 0.4975, 0.5);
        Assert.True(Detectable.InStandardErrors(4) > standardErrors);
    }

    private static IReadOnlyList<Reading> Readings(double factor) =>
        [.. Enumerable.Range(0, 40).Select(i => new Reading((i / 10) + 1, i + 1, factor * (10 + (i % 3))))];
}
