using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

public sealed class EquivalenceTests
{
    private static readonly Moments Constant = new(10, 2, 0);

    // SciPy 1.10.1: ttest_ind_from_stats, equal_var=False, one-sided either way; the larger p.
    [Theory]
    [InlineData(100, 4.5, 50, 101, 5.5, 40, 3, 0.033697733145559926)]
    [InlineData(10.52, 0.23, 30, 10.51, 0.21, 30, 0.1, 0.059478600242405234)]
    [InlineData(10, 1, 10, 13, 2, 12, 1, 0.996239707832035)]
    public void Two_one_sided_tests_agree_with_SciPy(double ma, double sa, int na, double mb, double sb, int nb, double margin, double p) =>
        Close.Relative(p, Equivalence.Within(Moments.Printed(na, ma, sa), Moments.Printed(nb, mb, sb), 0, margin), 1e-9);

    [Theory]
    [InlineData(10.51)]
    [InlineData(10.45)]
    [InlineData(10.3)]
    [InlineData(11)]
    public void Equivalence_is_shown_exactly_where_the_90_percent_interval_lies_within_the_margin(double mean)
    {
        var (direct, pubsub) = (Moments.Printed(30, 10.52, 0.23), Moments.Printed(30, mean, 0.21));
        foreach (var margin in new[] { 0.005, 0.01, 0.02, 0.05 })
        {
            var inside = Ratio.Fieller(direct, pubsub, 0.90)!.Value.Inside(1 - margin, 1 + margin);
            Assert.Equal(inside, Equivalence.Within(direct, pubsub, margin, 0) < 0.05);
            var difference = WelchTest.Difference(direct, pubsub, 0.90)!.Value.Inside(-margin, margin);
            Assert.Equal(difference, Equivalence.Within(direct, pubsub, 0, margin) < 0.05);
        }
    }

    [Fact]
    public void Two_constants_that_differ_are_within_the_margin_for_certain_or_not_at_all()
    {
        Assert.Equal(0, Equivalence.Within(Constant, Constant with { Mean = 2.1 }, 0, 0.5));
        Assert.Equal(1, Equivalence.Within(Constant, Constant with { Mean = 3 }, 0, 0.5));
        Assert.Equal(1, Equivalence.Within(Constant, Constant with { Mean = 2.5 }, 0, 0.5));
        Assert.Equal(0, Equivalence.Within(Constant, Constant with { Mean = 2.1 }, 0.1, 0));
    }

    [Fact]
    public void Where_nothing_can_be_tested_nothing_is_equivalent()
    {
        Assert.Null(Equivalence.Within(Constant, Constant, 0, 0.5));
        Assert.Null(Equivalence.Within(new Moments(1, 2, 0), Constant, 0, 0.5));
    }

    // SciPy 1.10.1: nct.cdf; the last two also by mpmath 1.2.1, numerically.
    [Theory]
    [InlineData(2, 58, 1, 0.835170476724031)]
    [InlineData(1.5, 2, 3, 0.087619975613459)]
    [InlineData(-2, 10, 0.5, 0.012138466792307684)]
    [InlineData(30, 58, 25, 0.952806800718341)]
    [InlineData(60, 58, 55, 0.797966006594874)]
    public void The_noncentral_t_distribution_agrees_with_SciPy(double t, double df, double noncentrality, double p) =>
        Close.Relative(p, NoncentralT.Cdf(t, df, noncentrality), 1e-9);

    [Theory]
    [InlineData(0.5, 30, 0.4778965212018128)]
    [InlineData(0.8, 20, 0.6934041963871713)]
    [InlineData(1.2, 10, 0.7184053765416943)]
    public void The_power_of_the_pooled_test_agrees_with_SciPy(double effect, int count, double power) =>
        Close.Relative(power, NoncentralT.Power(effect, count, 0.05), 1e-8);

    // SciPy 1.10.1: nct.cdf and brentq. The first is the example of Borenstein et al. (2009), chapter 4.
    [Theory]
    [InlineData(50, 100, 4.5, 50, 103, 5.5, 0.194782035531, 0.996346293263)]
    [InlineData(5, 0, 1, 7, -1.2, 1, -2.43500531292, 0.0840296209438)]
    [InlineData(30, 1, 1, 30, 1, 1, -0.506060524753, 0.506060524753)]
    public void The_interval_of_Hedges_g_agrees_with_SciPy(
        int na, double ma, double sa, int nb, double mb, double sb, double low, double high)
    {
        var interval = HedgesG.IntervalOf(Moments.Printed(na, ma, sa), Moments.Printed(nb, mb, sb), 0.95)!.Value;
        Close.Relative(low, interval.Low, 1e-6);
        Close.Relative(high, interval.High, 1e-6);
    }

    [Fact]
    public void Effects_of_hundreds_of_deviations_have_an_interval_too()
    {
        var (direct, pubsub) = (Moments.Printed(30, 1, 1), Moments.Printed(30, 301, 1));
        var interval = HedgesG.IntervalOf(direct, pubsub, 0.95)!.Value;
        Assert.InRange(interval.Low, 240, 250);
        Assert.InRange(interval.High, 345, 355);
        Assert.Null(HedgesG.IntervalOf(Constant, Constant with { Mean = 3 }, 0.95));
    }
}
