using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

public sealed class LogNormalTests
{
    // The standard lognormal: its mean is exp(1/2), its variance (e - 1) e, and plnorm(2) of R 0.7558914042144173.
    [Fact]
    public void It_has_the_mean_and_the_deviation_that_it_was_made_of()
    {
        var standard = LogNormal.Of(Math.Exp(0.5), Math.Sqrt((Math.E - 1) * Math.E));

        Assert.Equal((0, 1), (Math.Round(standard.Mu, 12), Math.Round(standard.Sigma, 12)));
        Assert.Equal(0.5, standard.Cdf(1), 12);
        Assert.Equal(0.7558914042144173, standard.Cdf(2), 12);
        Assert.Equal((0, 0), (standard.Cdf(0), standard.Cdf(-1)));
    }

    [Fact]
    public void Its_draws_have_them_too()
    {
        var (delays, random) = (LogNormal.Of(153.4, 133.3), new Random(17));
        var moments = Moments.Of([.. Enumerable.Range(0, 100_000).Select(_ => delays.Draw(random))]);

        Assert.InRange(moments.Mean, 152, 155);
        Assert.InRange(moments.StandardDeviation, 128, 139);
    }

    [Fact]
    public void Without_a_deviation_it_is_a_constant()
    {
        var constant = LogNormal.Of(40, 0);

        Assert.Equal(40, constant.Draw(new Random(1)), 9);
        Assert.Equal((0, 1), (constant.Cdf(39.9), constant.Cdf(40.1)));
    }
}
