using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Experiment.Statistics;

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
        var low = events == 0 ? 0 : events == trials ? Math.Pow(tail, 1.0 / trials) : Beta.InvCDF(events, trials - events + 1, tail);
        var high = events == trials ? 1 : events == 0 ? 1 - Math.Pow(tail, 1.0 / trials) : Beta.InvCDF(events + 1, trials - events, 1 - tail);
        return new Interval(low, high);
    }
}
