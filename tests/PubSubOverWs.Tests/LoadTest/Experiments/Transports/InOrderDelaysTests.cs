using PubSubOverWs.LoadTest.Experiments.Transports;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports;

public sealed class InOrderDelaysTests
{
    private const double Period = 250;

    [Theory]
    [InlineData(40.3, 7.6)]
    [InlineData(122.9, 48.2)]
    [InlineData(153.4, 133.3)]
    [InlineData(156.2, 176.0)]
    public void Drawn_delays_deliver_the_published_mean_and_deviation(double mean, double deviation)
    {
        var drawn = InOrderDelays.ToDeliver(mean, deviation, Period);
        var delivered = Delivered(LogNormal.Of(drawn.Mean, drawn.Deviation));

        Assert.InRange(delivered.Mean, 0.985 * mean, 1.015 * mean);
        Assert.InRange(delivered.StandardDeviation, 0.93 * deviation, 1.07 * deviation);
    }

    [Fact]
    public void Much_less_must_be_drawn_where_deviations_are_large_and_the_same_where_they_are_small()
    {
        Assert.InRange(InOrderDelays.ToDeliver(156.2, 176.0, Period).Mean, 130, 145);
        Assert.Equal((75.1, 0.42), InOrderDelays.ToDeliver(75.1, 0.42, Period));
    }

    [Fact]
    public void Constant_delays_hold_up_nothing()
    {
        var (mean, deviation) = InOrderDelays.Delivered(LogNormal.Of(100, 0), Period, longest: 4000);

        Assert.InRange(mean, 99, 101);
        Assert.InRange(deviation, 0, 2);
    }

    // Message by message.
    private static Moments Delivered(LogNormal drawn)
    {
        var (random, last, delays) = (new Random(3), 0.0, new List<double>());
        for (var i = 0; i < 2_000_000; i++)
            delays.Add(last = Math.Max(drawn.Draw(random), last - Period));
        return Moments.Of(delays);
    }
}
