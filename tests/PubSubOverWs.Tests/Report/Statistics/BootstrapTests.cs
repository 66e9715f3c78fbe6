using PubSubOverWs.Record.Latency;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Record.Latency;

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
        var plain = Bootstrap.Of(Iterations, drawn => Nearest([.. drawn.SelectMany(values => values).Order()], quantile), 0.95, 7);
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
        var m = Moments.Of(values);
        var interval = Bootstrap.Of(values, drawn => drawn.Average(), 0.95, 1)!.Value;
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
        return Distribution.Of(histogram);
    }

    private static double Nearest(double[] sorted, double quantile) => sorted[(int)Math.Ceiling((quantile * sorted.Length) - 1e-9) - 1];
}
