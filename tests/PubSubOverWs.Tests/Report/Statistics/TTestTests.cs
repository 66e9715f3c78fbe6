using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

public sealed class TTestTests
{
    // Student's own data of 1908, as R ships it (sleep); the values are those printed by R's t.test.
    private static readonly double[] FirstDrug = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    private static readonly double[] SecondDrug = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    private static readonly Moments One = Moments.Compute(FirstDrug);
    private static readonly Moments Other = Moments.Compute(SecondDrug);
    private static readonly Moments Constant = new(10, 2, 0);

    [Fact]
    public void Welchs_test_agrees_with_R_on_Students_data()
    {
        var test = WelchTest.Test(One, Other)!;
        Assert.Equal((1.8608, 17.776, 0.07939), (Math.Round(test.T, 4), Math.Round(test.DegreesOfFreedom, 3), Math.Round(test.P, 5)));
        var difference = WelchTest.Difference(One, Other, 0.95)!.Value;
        Assert.Equal((-0.2054832, 3.3654832), (Math.Round(difference.Low, 7), Math.Round(difference.High, 7)));
    }

    [Fact]
    public void The_pooled_test_agrees_with_R_on_Students_data()
    {
        var test = PooledTest.Test(One, Other)!;
        Assert.Equal((1.8608, 18, 0.07919), (Math.Round(test.T, 4), test.DegreesOfFreedom, Math.Round(test.P, 5)));
    }

    [Fact]
    public void The_paired_test_agrees_with_R_on_Students_data()
    {
        var test = PairedTest.Test(Moments.Compute([.. SecondDrug.Zip(FirstDrug, (second, first) => second - first)]))!;
        Assert.Equal((4.0621, 9, 0.002833), (Math.Round(test.T, 4), test.DegreesOfFreedom, Math.Round(test.P, 6)));
    }

    // mpmath 1.3 at 40 digits: the regularized incomplete beta function.
    [Theory]
    [InlineData(431, 58, 2.2605707444333481e-103)]
    [InlineData(60, 30.5, 3.1917887270160362e-33)]
    [InlineData(1e6, 50, 3.3460608876219989e-259)]
    [InlineData(100, 400, 4.115688571222373e-285)]
    [InlineData(0.001, 58, 0.9992055471605419)]
    [InlineData(1e9, 33, 1.5662947520360159e-273)]
    [InlineData(500, 120.25, 2.3041631679999067e-201)]
    [InlineData(1e30, 10, 2.4609374999999995e-296)]
    [InlineData(38.4, 9998, 4.6870384657048556e-301)]
    public void Tails_hold_their_digits_far_out(double t, double df, double p)
    {
        Close.Relative(p, StudentTails.TwoSided(t, df), 1e-10);
        Close.Relative(p, StudentTails.TwoSided(-t, df), 1e-10);
    }

    [Theory]
    [InlineData(0.95, 1, 12.706204736174693)]
    [InlineData(0.95, 4, 2.7764451051977935)]
    [InlineData(0.90, 57.123, 1.6719694111230773)]
    public void Intervals_reach_as_far_as_the_tables_of_t_say(double confidence, double df, double t) =>
        Close.Relative(t, StudentTails.Reach(confidence, df), 1e-9);

    [Fact]
    public void Below_two_values_there_is_nothing_to_test()
    {
        var single = Moments.Compute([1.0]);
        Assert.Null(WelchTest.Test(single, One));
        Assert.Null(PooledTest.Test(One, single));
        Assert.Null(PairedTest.Test(Moments.Compute([1.0])));
        Assert.Null(WelchTest.Difference(One, Moments.Compute([]), 0.95));
        Assert.Null(HedgesG.Compute(single, One));
        Assert.Null(Ratio.Fieller(single, One, 0.95));
    }

    [Fact]
    public void With_one_arm_constant_the_degrees_of_freedom_are_those_of_the_other()
    {
        var test = WelchTest.Test(Constant, Other)!;
        Close.Relative(9, test.DegreesOfFreedom, 1e-12);
        Close.Relative((Other.Mean - 2) / Math.Sqrt(Other.Variance / 10), test.T, 1e-12);
    }

    [Fact]
    public void Two_constants_that_differ_differ_for_certain()
    {
        var test = WelchTest.Test(Constant, Constant with { Mean = 1 })!;
        Assert.Equal((double.NegativeInfinity, 0.0), (test.T, test.P));
        Assert.Equal(new Interval(-1, -1), WelchTest.Difference(Constant, Constant with { Mean = 1 }, 0.95));
        Assert.Equal(new Interval(0.5, 0.5), Ratio.Fieller(Constant, Constant with { Mean = 1 }, 0.95));
        Assert.Equal(0, PooledTest.Test(Constant, Constant with { Mean = 1 })!.P);
        Assert.Equal(0, PairedTest.Test(Moments.Compute([0.5, 0.5, 0.5]))!.P);
        Assert.Null(HedgesG.Compute(Constant, Constant with { Mean = 1 }));
    }

    [Fact]
    public void Two_constants_that_are_equal_cannot_be_tested()
    {
        Assert.Null(WelchTest.Test(Constant, Constant));
        Assert.Null(PooledTest.Test(Constant, Constant));
        Assert.Null(PairedTest.Test(Moments.Compute([0, 0, 0])));
        Assert.Null(Ratio.Fieller(Constant, Constant, 0.95));
    }

    [Fact]
    public void Equal_groups_have_p_of_one()
    {
        Assert.Equal(1, WelchTest.Test(One, One)!.P, 1e-12);
        Assert.Equal(1, Ratio.Compute(One, One));
    }

    [Fact]
    public void Equal_values_have_no_variance_whatever_their_mean_rounds_to() =>
        Assert.Equal(new Moments(3, 0.1, 0), Moments.Compute([0.1, 0.1, 0.1]));

    [Fact]
    public void Fewer_effective_iterations_widen_everything_and_below_two_end_the_test()
    {
        Assert.True(WelchTest.Test(One, Other, 0.5)!.P > WelchTest.Test(One, Other)!.P);
        Assert.Null(WelchTest.Test(One, Other, 0.19));
        Assert.True(
            Ratio.Fieller(Other, One with { Mean = 5 }, 0.9, 0.5)!.Value.High > Ratio.Fieller(
                Other, One with { Mean = 5 }, 0.9)!.Value.High);
    }
}

public sealed class HalvesTestTests
{
    // R: summary(lm(c(1, 3, 5, 7, 11, 15, 15, 19) ~ gl(2, 4) + rep(gl(2, 2), 2))) gives the second factor 4, t 2.828, 5 df, p 0.0367.
    [Fact]
    public void Halves_are_told_apart_beside_blocks_that_differ_anyway()
    {
        var found = HalvesTest.Compute([[1, 3, 5, 7], [11, 15, 15, 19]])!;

        Assert.Equal((7.5, 11.5, 5d), (found.First, found.Second, found.Test!.DegreesOfFreedom));
        Close.Relative(Math.Sqrt(8), found.Test.T, 1e-12);
        Close.Relative(0.0367, found.Test.P, 2e-3);
    }

    // R, as above: c(1, 3, 5, 7, 11, 15) with blocks of 4 and 2 gives 4, t 4.243, 3 df.
    [Fact]
    public void Blocks_of_several_sizes_count_by_their_values()
    {
        var found = HalvesTest.Compute([[1, 3, 5, 7], [11, 15]])!;
        Close.Relative(Math.Sqrt(18), found.Test!.T, 1e-12);
        Assert.Equal(3, found.Test.DegreesOfFreedom);
    }

    [Fact]
    public void The_middle_value_of_a_block_is_of_neither_half_and_a_block_of_one_of_none()
    {
        var found = HalvesTest.Compute([[1, 3, 99, 5, 7], [11, 15, 99, 15, 19], [99]])!;

        Assert.Equal(HalvesTest.Compute([[1, 3, 5, 7], [11, 15, 15, 19]]), found);
    }

    [Fact]
    public void Blocks_that_differ_are_no_drift_and_too_few_values_no_test()
    {
        Assert.Equal(1, HalvesTest.Compute([[1, 2, 2, 1], [9, 8, 9, 8], [5, 4, 4, 5]])!.Test!.P, 1e-12);
        Assert.Null(HalvesTest.Compute([[1], [2]]));
        Assert.Null(HalvesTest.Compute([[1, 2]])!.Test);
        Assert.Null(HalvesTest.Compute([[3, 3], [5, 5], [7, 7]])!.Test);
    }
}

internal static class Close
{
    /// <summary>Equal within a relative tolerance: an absolute one says nothing about 1e-103.</summary>
    public static void Relative(double expected, double? actual, double tolerance)
    {
        Assert.NotNull(actual);
        Assert.True(Math.Abs(actual.Value - expected) <= tolerance * Math.Abs(expected), $"expected {expected:R}, got {actual:R}");
    }
}
