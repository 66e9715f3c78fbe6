using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Report.Statistics;

/// <summary>Clopper and Pearson's exact interval of a probability (1934).</summary>
public static class ExactInterval
{
    /// <summary>From <paramref name="events"/> in <paramref name="trials"/>: 0 of 30 gives 0 to 11.6 % at a confidence of 0.95.</summary>
    /// <returns>Null without a trial.</returns>
    public static Interval? Of(long events, long trials, double confidence)
    {
        if (trials == 0)
            return null;
        var tail = (1 - confidence) / 2;
        // The ends have closed forms; only the inside needs the beta distribution.
        var low = events == 0 ? 0 : events == trials ? Math.Pow(tail, 1.0 / trials) : Quantile(events, trials - events + 1, tail);
        var high = events == trials ? 1 : events == 0 ? 1 - Math.Pow(tail, 1.0 / trials) : Quantile(events + 1, trials - events, 1 - tail);
        return new Interval(low, high);
    }

    // The library stops at an absolute 1e-8 or so, which is nothing of a loss of 1e-7: one of Newton's steps, and a second, mend that.
    private static double Quantile(double a, double b, double probability)
    {
        var x = Beta.InvCDF(a, b, probability);
        for (var i = 0; i < 2; i++)
            x -= (Beta.CDF(a, b, x) - probability) / Beta.PDF(a, b, x);
        return x;
    }
}

/// <summary>A confidence interval, ends included.</summary>
public readonly record struct Interval(double Low, double High)
{
    public bool Contains(double value) => Low <= value && value <= High;

    /// <summary>
    /// Without the part below 0, for a quantity that cannot be negative: it covers the true value as often. A low end of 0 then says that
    /// the quantity is not clear of 0.
    /// </summary>
    public Interval FromZero() => this with { Low = Math.Max(0, Low) };

    /// <summary>Wholly within the open interval from <paramref name="low"/> to <paramref name="high"/>.</summary>
    public bool Inside(double low, double high) => low < Low && High < high;

    /// <summary>Without a point in common with the open interval from <paramref name="low"/> to <paramref name="high"/>.</summary>
    public bool Outside(double low, double high) => High <= low || high <= Low;
}
