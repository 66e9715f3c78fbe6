using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Statistics;

public sealed class EffectTests
{
    // Borenstein, Hedges, Higgins, Rothstein: Introduction to Meta-Analysis (2009), chapter 4: 103 (5.5) against 100 (4.5), 50 each.
    [Fact]
    public void Hedges_g_agrees_with_the_textbook()
    {
        var g = HedgesG.Compute(Moments.Printed(50, 100, 4.5), Moments.Printed(50, 103, 5.5));
        Assert.Equal(0.5924, Math.Round(g!.Value, 4));
    }

    // mpmath 1.3: the gamma functions of Hedges (1981), not the usual approximation 1 - 3/(4 df - 1).
    [Theory]
    [InlineData(2, 0.564189583547756)]
    [InlineData(8, 0.90270333367641)]
    [InlineData(58, 0.987003581027977)]
    public void The_correction_of_g_is_exact(int df, double correction) => Close.Relative(correction, HedgesG.Correction(df), 1e-12);

    // The worked example of "Holm-Bonferroni method" in Wikipedia: of 0.01, 0.04, 0.03, 0.005 two are rejected at 0.05.
    [Fact]
    public void Holms_correction_steps_down_and_never_turns_back() =>
        Assert.Equal([0.03, 0.06, 0.06, 0.02], Holm.Adjust([0.01, 0.04, 0.03, 0.005]).Select(p => Math.Round(p!.Value, 12)));

    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "hochberg").
    [Fact]
    public void Hochbergs_correction_steps_up_and_does_not_count_untestable_rows() =>
        Assert.Equal(
            [0.03, 0.04, null, 0.04, 0.02],
            Hochberg.Adjust([0.01, 0.04, null, 0.03, 0.005]).Select(p => p is { } one ? Math.Round(one, 12) : p));

    [Fact]
    public void Holms_correction_does_not_count_untestable_rows() =>
        Assert.Equal([0.04, null, 0.9], Holm.Adjust([0.02, null, 0.9]));

    [Fact]
    public void An_adjusted_p_stays_at_or_below_one() => Assert.Equal([1.0, 1.0], Holm.Adjust([0.8, 0.9]));

    [Fact]
    public void A_denominator_that_is_not_clear_of_zero_has_no_ratio_interval()
    {
        Assert.Null(Ratio.Fieller(Moments.Printed(10, 0.1, 5), Moments.Printed(10, 10, 1), 0.95));
        Assert.Null(Ratio.Compute(new Moments(3, 0, 0), new Moments(3, 1, 0)));
    }

    // mpmath 1.3: roots of the paired t statistic of b - R a, found numerically.
    [Fact]
    public void The_paired_ratio_interval_uses_the_covariance_of_the_pairs()
    {
        var interval = Ratio.PairedFieller([(10, 11), (12, 14), (11, 12), (13, 16), (14, 15)], 0.95)!.Value;
        Close.Relative(1.04303387508, interval.Low, 1e-9);
        Close.Relative(1.21996582274, interval.High, 1e-9);
    }

    // R's data set lh; acf(lh) prints 0.576 at lag 1.
    [Fact]
    public void The_lag_one_coefficient_agrees_with_R()
    {
        double[] lh =
        [
            2.4, 2.4, 2.4, 2.2, 2.1, 1.5, 2.3, 2.3, 2.5, 2.0, 1.9, 1.7, 2.2, 1.8, 3.2, 3.2, 2.7, 2.2, 2.2, 1.9, 1.9, 1.8, 2.7, 3.0,
            2.3, 2.0, 2.0, 2.9, 2.9, 2.7, 2.7, 2.3, 2.6, 2.4, 1.8, 1.7, 1.5, 1.4, 2.1, 3.3, 3.5, 3.5, 3.1, 2.6, 2.1, 3.4, 3.0, 2.9,
        ];
        Assert.Equal(0.576, Math.Round(Autocorrelation.LagOne(lh)!.Value, 3));
    }

    [Fact]
    public void Autocorrelation_is_not_assessed_below_twenty_or_without_spread()
    {
        Assert.Null(Autocorrelation.LagOne([.. Enumerable.Range(0, 19).Select(i => (double)i)]));
        Assert.Null(Autocorrelation.LagOne([.. Enumerable.Repeat(1.0, 30)]));
    }

    [Fact]
    public void Only_a_positive_coefficient_takes_from_n()
    {
        Assert.Equal(1.0 / 3, Autocorrelation.EffectiveShare(0.5), 1e-12);
        Assert.Equal(1, Autocorrelation.EffectiveShare(-0.5));
    }

    [Fact]
    public void Losses_that_come_together_are_overdispersed()
    {
        Assert.Equal(10, Dispersion.Index([0, 0, 0, 0, 0, 0, 0, 0, 0, 10]));
        Assert.Equal(0, Dispersion.Index([4, 4, 4]));
        Assert.Null(Dispersion.Index([0, 0, 0]));
        Assert.Null(Dispersion.Index([3]));
    }

    // 0 of 30 from docs/reference/method.md; 682 of 925 is Mendel's example in R's binom.test.
    [Theory]
    [InlineData(0, 30, 0, 0.1157)]
    [InlineData(30, 30, 0.8843, 1)]
    [InlineData(682, 925, 0.7077, 0.7654)]
    public void Exact_intervals_agree_with_R(long events, long trials, double low, double high)
    {
        var interval = ExactInterval.Compute(events, trials, 0.95)!.Value;
        Assert.Equal((low, high), (Math.Round(interval.Low, 4), Math.Round(interval.High, 4)));
    }

    [Fact]
    public void Without_a_trial_there_is_no_interval() => Assert.Null(ExactInterval.Compute(0, 0, 0.95));
}
