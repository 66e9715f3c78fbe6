using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

/// <summary>The error rates of the tests, on simulated data whose truth is known. Seeded: the same draws every time.</summary>
public sealed class SimulationTests
{
    private const int Draws = 10_000;

    // Three binomial standard deviations at 5 %: sqrt(0.05 * 0.95 / 10,000) = 0.0022.
    private const double Slack = 3 * 0.0022;

    [Theory]
    [InlineData(30, 30, 1, 1)]
    [InlineData(30, 30, 1, 5)]
    [InlineData(20, 30, 4, 1)]
    public void Where_there_is_no_difference_Welchs_test_rejects_one_in_twenty(int na, int nb, double sa, double sb) =>
        Assert.InRange(Share(1, (a, b) => WelchTest.Test(a, b)!.P < 0.05, na, nb, 100, 100, sa, sb), 0.05 - Slack, 0.05 + Slack);

    [Fact]
    public void The_pooled_test_rejects_too_often_where_the_smaller_arm_varies_more() =>
        Assert.True(Share(2, (a, b) => PooledTest.Test(a, b)!.P < 0.05, 10, 40, 100, 100, 5, 1) > 0.15);

    [Fact]
    public void The_pooled_test_rejects_one_in_twenty_where_both_arms_vary_alike() =>
        Assert.InRange(Share(7, (a, b) => PooledTest.Test(a, b)!.P < 0.05, 8, 12, 100, 100, 2, 2), 0.05 - Slack, 0.05 + Slack);

    [Fact]
    public void The_paired_test_rejects_one_in_twenty() =>
        Assert.InRange(
            Share(8, (a, b) => PairedTest.Test(Moments.Compute([.. a.Zip(b, (x, y) => y - x)]))!.P < 0.05, 5, 0), 0.05 - Slack,
            0.05 + Slack);

    // No test of a discrete statistic has exactly 5 %: theirs are 6 of 252 at either end, and U up to 13 of 64: 0.0498.
    [Fact]
    public void Exact_tests_reject_as_often_as_their_own_distribution_says()
    {
        Assert.InRange(Share(9, (a, b) => PermutationTest.Test(a, b)!.P < 0.05, 5, 0), (12.0 / 252) - Slack, (12.0 / 252) + Slack);
        Assert.InRange(Share(10, (a, b) => MannWhitney.Test(a, b)!.P < 0.05, 8, 0), 0.0498 - Slack, 0.0498 + Slack);
    }

    [Fact]
    public void Brunner_and_Munzels_test_rejects_one_in_twenty_where_the_smaller_arm_varies_more()
    {
        var random = new Random(11);
        var rejected = Enumerable.Range(0, Draws)
            .Count(_ => BrunnerMunzel.Test(Values(random, 20, 0, 3), Values(random, 30, 0, 1))!.P < 0.05);
        // Its t is approximate: Brunner and Munzel's own simulations stay within half a point.
        Assert.InRange((double)rejected / Draws, 0.05 - Slack - 0.005, 0.05 + Slack + 0.005);
    }

    [Fact]
    public void On_the_margin_equivalence_is_shown_one_time_in_twenty()
    {
        Assert.InRange(Share(12, (a, b) => Equivalence.Within(a, b, 0, 3) < 0.05, 30, 30, 100, 103, 2, 3), 0.05 - Slack, 0.05 + Slack);
        Assert.InRange(Share(13, (a, b) => Equivalence.Within(a, b, 0.03, 0) < 0.05, 30, 30, 100, 103, 2, 2), 0.05 - Slack, 0.05 + Slack);
    }

    // Theory: the noncentral t distribution (SciPy 1.10.1: 0.4779, 0.6934, 0.7184).
    [Theory]
    [InlineData(0.5, 30)]
    [InlineData(0.8, 20)]
    [InlineData(1.2, 10)]
    public void A_known_effect_is_found_as_often_as_theory_says(double effect, int count)
    {
        var power = NoncentralT.Power(effect, count, 0.05);
        Assert.InRange(Share(14, (a, b) => PooledTest.Test(a, b)!.P < 0.05, count, count, 0, effect, 1, 1), power - 0.02, power + 0.02);
        Assert.InRange(Share(15, (a, b) => WelchTest.Test(a, b)!.P < 0.05, count, count, 0, effect, 1, 1), power - 0.02, power + 0.02);
    }

    // Mann and Whitney's is at least 3/pi as efficient for normal values (Hodges and Lehmann 1956): as t with 0.955 n.
    [Fact]
    public void The_rank_test_finds_a_known_effect_nearly_as_often() =>
        Assert.InRange(
            Share(16, (a, b) => MannWhitney.Test(a, b)!.P < 0.05, 8, 1.5), NoncentralT.Power(1.5, 8, 0.05) - 0.06,
            NoncentralT.Power(1.5, 8, 0.05));

    [Fact]
    public void The_interval_of_Hedges_g_holds_the_true_effect_nineteen_times_in_twenty()
    {
        var random = new Random(17);
        const int Few = 400;
        var held = Enumerable.Range(
            0, Few).Count(_ => HedgesG.IntervalOf(Sample(random, 8, 0, 1), Sample(random, 8, 0.8, 1), 0.95) is { } interval
            && interval.Contains(0.8));
        Assert.InRange((double)held / Few, 0.95 - 0.033, 0.95 + 0.033);
    }

    [Theory]
    [InlineData(1.02)]
    [InlineData(3)]
    public void Fiellers_interval_holds_the_true_ratio_nineteen_times_in_twenty(double ratio) =>
        Assert.InRange(
            Share(3, (a, b) => Ratio.Fieller(a, b, 0.95)!.Value.Contains(ratio), 30, 30, 100, 100 * ratio, 3, 3), 0.95 - Slack,
            0.95 + Slack);

    [Fact]
    public void Welchs_interval_holds_the_true_difference_nineteen_times_in_twenty() =>
        Assert.InRange(
            Share(4, (a, b) => WelchTest.Difference(a, b, 0.95)!.Value.Contains(7), 12, 25, 100, 107, 2, 9), 0.95 - Slack, 0.95 + Slack);

    [Fact]
    public void Holms_correction_keeps_six_rows_together_at_one_in_twenty()
    {
        var random = new Random(5);
        var any = Enumerable.Range(0, Draws).Count(_ =>
            Holm.Adjust([.. Enumerable.Range(0, 6).Select(_ => PooledTest.Test(Sample(random, 10, 0, 1), Sample(random, 10, 0, 1))?.P)])
                .Any(p => p < 0.05));
        Assert.InRange((double)any / Draws, 0.05 - Slack, 0.05 + Slack);
    }

    [Fact]
    public void Hedges_g_is_right_on_average()
    {
        var random = new Random(6);
        var mean = Enumerable.Range(0, Draws).Average(_ => HedgesG.Compute(Sample(random, 6, 0, 1), Sample(random, 6, 0.8, 1)));
        Assert.InRange(mean!.Value, 0.8 - 0.04, 0.8 + 0.04);
    }

    private static double Share(int seed, Func<Moments, Moments, bool> holds, int na, int nb, double ma, double mb, double sa, double sb)
    {
        var random = new Random(seed);
        return (double)Enumerable.Range(0, Draws).Count(_ => holds(Sample(random, na, ma, sa), Sample(random, nb, mb, sb))) / Draws;
    }

    private static double Share(int seed, Func<double[], double[], bool> holds, int count, double difference)
    {
        var random = new Random(seed);
        return (double)Enumerable.Range(0, Draws)
            .Count(_ => holds(Values(random, count, 0, 1), Values(random, count, difference, 1))) / Draws;
    }

    private static Moments Sample(Random random, int count, double mean, double sd) => Moments.Compute(Values(random, count, mean, sd));

    private static double[] Values(Random random, int count, double mean, double sd)
    {
        var values = new double[count];
        for (var i = 0; i < count; i++)
            values[i] = mean + (sd * Normal(random));
        return values;
    }

    // Box and Muller (1958).
    private static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
