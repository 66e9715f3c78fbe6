using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Tests.Experiment.Statistics;

/// <summary>What the tests promise, tried on made-up data whose truth is known. Seeded: the same draws every time.</summary>
public sealed class SimulationTests
{
    private const int Draws = 4000;

    // Four binomial standard deviations at 5 %: sqrt(0.05 * 0.95 / 4000) = 0.0034.
    private const double Slack = 4 * 0.0034;

    [Theory]
    [InlineData(30, 30, 1, 1)]
    [InlineData(30, 30, 1, 5)]
    [InlineData(20, 30, 4, 1)]
    public void Where_there_is_no_difference_Welchs_test_rejects_one_in_twenty(int na, int nb, double sa, double sb) =>
        Assert.InRange(Share(1, (a, b) => WelchTest.Test(a, b)!.P < 0.05, na, nb, 100, 100, sa, sb), 0.05 - Slack, 0.05 + Slack);

    [Fact]
    public void The_pooled_test_rejects_too_often_where_the_smaller_arm_varies_more() =>
        Assert.True(Share(2, (a, b) => PooledTest.Test(a, b)!.P < 0.05, 10, 40, 100, 100, 5, 1) > 0.15);

    [Theory]
    [InlineData(1.02)]
    [InlineData(3)]
    public void Fiellers_interval_holds_the_true_ratio_nineteen_times_in_twenty(double ratio) =>
        Assert.InRange(Share(3, (a, b) => Ratio.Fieller(a, b, 0.95)!.Value.Contains(ratio), 30, 30, 100, 100 * ratio, 3, 3), 0.95 - Slack, 0.95 + Slack);

    [Fact]
    public void Welchs_interval_holds_the_true_difference_nineteen_times_in_twenty() =>
        Assert.InRange(Share(4, (a, b) => WelchTest.Difference(a, b, 0.95)!.Value.Contains(7), 12, 25, 100, 107, 2, 9), 0.95 - Slack, 0.95 + Slack);

    [Fact]
    public void Holms_correction_keeps_six_rows_together_at_one_in_twenty()
    {
        var random = new Random(5);
        var any = Enumerable.Range(0, Draws).Count(_ =>
            Holm.Adjust([.. Enumerable.Range(0, 6).Select(_ => WelchTest.Test(Sample(random, 10, 0, 1), Sample(random, 10, 0, 1))?.P)]).Any(p => p < 0.05));
        Assert.InRange((double)any / Draws, 0.05 - Slack, 0.05 + Slack);
    }

    [Fact]
    public void Hedges_g_is_right_on_average()
    {
        var random = new Random(6);
        var mean = Enumerable.Range(0, Draws).Average(_ => HedgesG.Of(Sample(random, 6, 0, 1), Sample(random, 6, 0.8, 1)));
        Assert.InRange(mean!.Value, 0.8 - 0.04, 0.8 + 0.04);
    }

    private static double Share(int seed, Func<Moments, Moments, bool> holds, int na, int nb, double ma, double mb, double sa, double sb)
    {
        var random = new Random(seed);
        return (double)Enumerable.Range(0, Draws).Count(_ => holds(Sample(random, na, ma, sa), Sample(random, nb, mb, sb))) / Draws;
    }

    private static Moments Sample(Random random, int count, double mean, double sd) =>
        Moments.Of([.. Enumerable.Range(0, count).Select(_ => mean + (sd * Normal(random)))]);

    // Box and Muller (1958).
    private static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
