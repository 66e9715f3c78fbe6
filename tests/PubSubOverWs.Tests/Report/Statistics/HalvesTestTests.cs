using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

public sealed class HalvesTestTests
{
    // R: summary(lm(c(1, 3, 5, 7, 11, 15, 15, 19) ~ gl(2, 4) + rep(gl(2, 2), 2))) gives the second factor 4, t 2.828, 5 df, p 0.0367.
    [Fact]
    public void Halves_are_told_apart_beside_blocks_that_differ_anyway()
    {
        var found = HalvesTest.Of([[1, 3, 5, 7], [11, 15, 15, 19]])!;

        Assert.Equal((7.5, 11.5, 5d), (found.First, found.Second, found.Test!.DegreesOfFreedom));
        Close.Relative(Math.Sqrt(8), found.Test.T, 1e-12);
        Close.Relative(0.0367, found.Test.P, 2e-3);
    }

    // R, as above: c(1, 3, 5, 7, 11, 15) with blocks of 4 and 2 gives 4, t 4.243, 3 df.
    [Fact]
    public void Blocks_of_several_sizes_count_by_their_values()
    {
        var found = HalvesTest.Of([[1, 3, 5, 7], [11, 15]])!;
        Close.Relative(Math.Sqrt(18), found.Test!.T, 1e-12);
        Assert.Equal(3, found.Test.DegreesOfFreedom);
    }

    [Fact]
    public void The_middle_value_of_a_block_is_of_neither_half_and_a_block_of_one_of_none()
    {
        var found = HalvesTest.Of([[1, 3, 99, 5, 7], [11, 15, 99, 15, 19], [99]])!;

        Assert.Equal(HalvesTest.Of([[1, 3, 5, 7], [11, 15, 15, 19]]), found);
    }

    [Fact]
    public void Blocks_that_differ_are_no_drift_and_too_few_values_no_test()
    {
        Assert.Equal(1, HalvesTest.Of([[1, 2, 2, 1], [9, 8, 9, 8], [5, 4, 4, 5]])!.Test!.P, 1e-12);
        Assert.Null(HalvesTest.Of([[1], [2]]));
        Assert.Null(HalvesTest.Of([[1, 2]])!.Test);
        Assert.Null(HalvesTest.Of([[3, 3], [5, 5], [7, 7]])!.Test);
    }
}
