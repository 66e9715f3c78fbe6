using PubSubOverWs.LoadTest.Experiments.Transports;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Metrics;

public sealed class ComparisonsTests
{
    [Fact]
    public void Holms_correction_is_over_the_rows_of_the_table()
    {
        var rows = Comparisons.Compute([Level(50, 0, 1), Level(100, 0, 1.2), Level(500, 0, 0)]);
        var p = rows.Select(row => row.Iterations.Test!.P).ToArray();
        Assert.Equal(Holm.Adjust([.. p.Cast<double?>()]), rows.Select(row => row.Iterations.HolmP));
    }

    [Fact]
    public void Iterations_are_paired_by_their_id_and_a_missing_partner_is_left_out_of_the_pairs_only()
    {
        var level = new LevelReadings(Some.Level(50), [new(1, 1, 10), new(1, 2, 11), new(1, 3, 12)], [new(1, 3, 22), new(1, 1, 20)]);
        Assert.Equal([(10, 20), (12, 22)], level.Pairs);
        var row = Comparisons.Compute([level])[0];
        Assert.Equal((3, 2, 2), (row.First.Count, row.Second.Count, row.Count));
    }

    [Fact]
    public void Blocks_are_compared_by_their_means()
    {
        var level = new LevelReadings(
            Some.Level(50),
            [new(1, 1, 10), new(1, 2, 12), new(2, 3, 20), new(3, 4, 1)],
            [new(1, 1, 13), new(1, 2, 13), new(2, 3, 21)]);
        Assert.Equal([(11, 13), (20, 21)], level.BlockMeans);
        var row = Comparisons.Compute([level])[0];
        Assert.Equal(2, row.Blocks);
        Assert.Equal(PairedTest.Test(Moments.Compute([2, 1]))!.P, row.BlockMeans!.Test!.P);
    }

    [Fact]
    public void One_block_is_not_tested_as_blocks_and_few_iterations_not_for_autocorrelation()
    {
        var row = Comparisons.Compute(
            [new LevelReadings(Some.Level(50), [new(1, 1, 10), new(1, 2, 12)], [new(1, 1, 13), new(1, 2, 14)])])[0];
        Assert.Null(row.BlockMeans);
        Assert.Null(row.Effective);
        Assert.Null(row.LagOne);
    }

    [Fact]
    public void A_trend_leaves_fewer_effective_iterations_and_a_larger_p()
    {
        var row = Trend(perIteration: 0.15);
        Assert.InRange(row.LagOne!.Value, 0.3, 0.8);
        Assert.True(row.Effective!.Test!.P > row.Iterations.Test!.P);
    }

    [Fact]
    public void A_trend_that_leaves_fewer_than_two_effective_iterations_leaves_nothing_to_test()
    {
        var row = Trend(perIteration: 5);
        Assert.True(row.LagOne > 0.88);
        Assert.Null(row.Effective!.Test);
        Assert.Null(row.Effective.HolmP);
    }

    [Fact]
    public void An_arm_without_readings_leaves_everything_empty()
    {
        var row = Comparisons.Compute([new LevelReadings(Some.Level(50), [], [new(1, 1, 10)])])[0];
        Assert.Equal((0, null, null), (row.Count, row.Ratio, row.Iterations.HolmP));
    }

    // Two blocks of readings that vary so much that the second arm is not clear of 0.
    private static LevelReadings Scattered { get; } = new(
        Some.Level(50),
        [new(1, 1, 10), new(1, 2, 12), new(2, 3, 10.5), new(2, 4, 12.5)],
        [new(1, 1, 1), new(1, 2, 3), new(2, 3, 90), new(2, 4, 110)]);

    [Fact]
    public void The_ratio_of_two_times_has_an_interval_from_0_where_the_second_is_not_clear_of_0()
    {
        var row = Comparisons.Compute([Scattered])[0];
        Assert.Equal((0.0, 0.0), (row.Iterations.Ratio95!.Value.Low, row.BlockMeans!.Ratio95!.Value.Low));
        Assert.Equal(0, row.BlockMeans.Ratio90!.Value.Low);
        Assert.True(row.Iterations.Ratio95.Value.Contains(row.Ratio!.Value));
    }

    [Fact]
    public void The_ratio_of_two_differences_may_be_negative()
    {
        var row = Comparisons.Compute([Scattered with { MayBeNegative = true }])[0];
        Assert.Equal(Ratio.Fieller(row.First, row.Second, 0.95), row.Iterations.Ratio95);
        Assert.Equal(Ratio.PairedFieller(Scattered.BlockMeans, 0.95), row.BlockMeans!.Ratio95);
        Assert.True(row.Iterations.Ratio95!.Value.Low < 0);
        Assert.True(Metric.From(TransportScenario.PairedDifference).MayBeNegative);
    }

    private static Comparison Trend(double perIteration) => Comparisons.Compute(
    [
        new LevelReadings(
            Some.Level(50),
            [.. Enumerable.Range(1, 30).Select(i => new Reading(((i - 1) / 6) + 1, i, 10 + (i % 3)))],
            [.. Enumerable.Range(1, 30).Select(i => new Reading(((i - 1) / 6) + 1, i, 10 + (i % 2) + (i * perIteration)))]),
    ])[0];

    private static LevelReadings Level(int users, double direct, double pubsub) => new(
        Some.Level(users),
        [.. Enumerable.Range(1, 10).Select(i => new Reading(1, i, direct + (i % 2)))],
        [.. Enumerable.Range(1, 10).Select(i => new Reading(1, i, pubsub + (i % 2)))]);
}
