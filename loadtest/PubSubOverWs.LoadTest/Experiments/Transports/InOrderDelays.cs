namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// The delays of messages that are sent periodically over one connection. Each is drawn by itself, but none arrives before the one that was
/// sent before it: message k is delivered after <c>max over j of (delay of message k - j, less j periods)</c>. So what is delivered has a
/// larger mean than what is drawn, and as delays are drawn independently its distribution function is the product
/// <c>F(x) F(x + period) F(x + 2 periods) ...</c>. All times are in ms.
/// </summary>
public static class InOrderDelays
{
    // Beyond so many means only some of a million lognormal delays are left, with a deviation a little above the mean.
    private const double Means = 40;
    private const int Steps = 4000;
    private const int Rounds = 60;
    private const double Close = 1e-4;

    /// <summary>The mean and the standard deviation of what is delivered.</summary>
    /// <param name="drawn">Of each message.</param>
    /// <param name="longest">Beyond it nothing is left.</param>
    public static (double Mean, double Deviation) Delivered(LogNormal drawn, double period, double longest)
    {
        // Mean and mean square by integrals of 1 - F, by the rule of the middle.
        var (step, mean, square) = (longest / Steps, 0.0, 0.0);
        for (var i = 0; i < Steps; i++)
        {
            var x = (i + 0.5) * step;
            var (within, place) = (drawn.Cdf(x), x + period);
            for (var next = drawn.Cdf(place); next < 1 - 1e-12 && place < longest; next = drawn.Cdf(place += period))
                within *= next;
            mean += (1 - within) * step;
            square += 2 * x * (1 - within) * step;
        }

        return (mean, Math.Sqrt(Math.Max(0, square - (mean * mean))));
    }

    /// <summary>What must be drawn so that what is delivered has this mean and this standard deviation.</summary>
    /// <returns>Its mean and deviation.</returns>
    public static (double Mean, double Deviation) ToDeliver(double mean, double deviation, double period)
    {
        if (deviation < mean / 10)
            return (mean, deviation); // Far from a period, so that nothing is held up.
        var (drawn, longest) = ((Mean: mean, Deviation: deviation), mean * Means);
        for (var round = 0; round < Rounds; round++)
        {
            var found = Delivered(LogNormal.Of(drawn.Mean, drawn.Deviation), period, longest);
            if (Math.Abs(found.Mean - mean) < Close * mean && Math.Abs(found.Deviation - deviation) < Close * deviation)
                break;
            drawn = (Math.Max(drawn.Mean + mean - found.Mean, mean / 10), drawn.Deviation * deviation / found.Deviation);
        }

        return drawn;
    }
}
