using PubSubOverWs.Record.Latency;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

public sealed class BootstrapTests
{
    private static readonly double[][] Iterations = [.. Enumerable.Range(0, 12)
        .Select(i => Enumerable.Range(0, 20).Select(k => (double)((i * 3) + (k * k % 17))).ToArray())];

    [Fact]
    public void The_same_seed_gives_the_same_interval()
    {
        var iterations = Counted(Iterations);
        Assert.Equal(Bootstrap.OfQuantile(iterations, 0.9, 0.95, 4), Bootstrap.OfQuantile(iterations, 0.9, 0.95, 4));
        Assert.NotEqual(Bootstrap.OfQuantile(iterations, 0.9, 0.95, 4), Bootstrap.OfQuantile(iterations, 0.9, 0.6, 4));
    }

    [Theory]
    [InlineData(0.5)]
    [InlineData(0.9)]
    [InlineData(0.999)]
    public void Histograms_that_merge_have_the_interval_of_the_values_they_count(double quantile)
    {
        // Below 2,048 us a histogram is exact.
        var plain = Bootstrap.Compute(Iterations, drawn => Nearest([.. drawn.SelectMany(values => values).Order()], quantile), 0.95, 7);
        Assert.Equal(plain, Bootstrap.OfQuantile(Counted(Iterations), quantile, 0.95, 7));
    }

    [Fact]
    public void One_histogram_or_none_with_a_latency_has_no_interval()
    {
        Assert.Null(Bootstrap.OfQuantile([Counted(1, 2, 3)], 0.5, 0.95));
        Assert.Null(Bootstrap.OfQuantile([Counted(), Counted()], 0.5, 0.95));
        Assert.Equal(new Interval(3, 3), Bootstrap.OfQuantile([Counted(3), Counted()], 0.5, 0.95));
        Assert.Equal(new Interval(5, 5), Bootstrap.OfQuantile([Counted(5, 5), Counted(5)], 0.99, 0.95));
    }

    // The normal theory of a mean: 1.96 s/sqrt(n) to either side, where n is large enough to trust it.
    [Fact]
    public void The_interval_of_a_mean_is_near_that_of_theory()
    {
        double[] values = [.. Enumerable.Range(0, 200).Select(i => (double)(i * 37 % 200))];
        var m = Moments.Compute(values);
        var interval = Bootstrap.Compute(values, drawn => drawn.Average(), 0.95, 1)!.Value;
        var reach = 1.96 * Math.Sqrt(m.MeanVariance);
        Assert.InRange(interval.Low, m.Mean - (1.15 * reach), m.Mean - (0.85 * reach));
        Assert.InRange(interval.High, m.Mean + (0.85 * reach), m.Mean + (1.15 * reach));
    }

    [Fact]
    public void Iterations_that_differ_widen_the_interval_however_many_messages_they_have()
    {
        var alike = Enumerable.Range(0, 10).Select(_ => Enumerable.Range(0, 100).Select(k => (double)k).ToArray()).ToArray();
        var apart = Enumerable.Range(0, 10).Select(i => Enumerable.Repeat((double)i * 10, 100).ToArray()).ToArray();
        Assert.Equal(new Interval(49, 49), Bootstrap.OfQuantile(Counted(alike), 0.5, 0.95));
        Assert.True(Bootstrap.OfQuantile(Counted(apart), 0.5, 0.95) is { } wide && wide.High - wide.Low >= 30);
    }

    private static Distribution[] Counted(double[][] iterations) => [.. iterations.Select(values => Counted([.. values]))];

    private static Distribution Counted(params double[] microseconds)
    {
        var histogram = new LatencyHistogram();
        foreach (var value in microseconds)
            Assert.True(histogram.TryRecord(TimeSpan.FromMicroseconds(value)));
        return Distribution.From(histogram);
    }

    private static double Nearest(double[] sorted, double quantile) => sorted[(int)Math.Ceiling((quantile * sorted.Length) - 1e-9) - 1];
}

public sealed class LogNormalTests
{
    // The standard lognormal: its mean is exp(1/2), its variance (e - 1) e, and plnorm(2) of R 0.7558914042144173.
    [Fact]
    public void It_has_the_mean_and_the_deviation_that_it_was_made_of()
    {
        var standard = LogNormal.From(Math.Exp(0.5), Math.Sqrt((Math.E - 1) * Math.E));

        Assert.Equal((0, 1), (Math.Round(standard.Mu, 12), Math.Round(standard.Sigma, 12)));
        Assert.Equal(0.5, standard.Cdf(1), 12);
        Assert.Equal(0.7558914042144173, standard.Cdf(2), 12);
        Assert.Equal((0, 0), (standard.Cdf(0), standard.Cdf(-1)));
    }

    [Fact]
    public void Its_draws_have_them_too()
    {
        var (delays, random) = (LogNormal.From(153.4, 133.3), new Random(17));
        var moments = Moments.Compute([.. Enumerable.Range(0, 100_000).Select(_ => delays.Draw(random))]);

        Assert.InRange(moments.Mean, 152, 155);
        Assert.InRange(moments.StandardDeviation, 128, 139);
    }

    [Fact]
    public void Without_a_deviation_it_is_a_constant()
    {
        var constant = LogNormal.From(40, 0);

        Assert.Equal(40, constant.Draw(new Random(1)), 9);
        Assert.Equal((0, 1), (constant.Cdf(39.9), constant.Cdf(40.1)));
    }
}
