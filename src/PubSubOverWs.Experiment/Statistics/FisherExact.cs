namespace PubSubOverWs.Experiment.Statistics;

/// <summary>
/// Fisher's exact test of two shares (1935): on messages, only where losses are independent; see <see cref="Dispersion"/>.
/// </summary>
public static class FisherExact
{
    // As R does: what is equal by definition may differ by rounding.
    private const double Equal = 1 + 1e-7;

    /// <summary>The two-sided p: of all tables with these margins, those that are not more probable than the one observed.</summary>
    /// <param name="lostA">Events in the first arm.</param>
    /// <param name="attemptsA">Trials in the first arm.</param>
    /// <param name="lostB">Events in the second arm.</param>
    /// <param name="attemptsB">Trials in the second arm.</param>
    /// <returns>Null where there is nothing to test: an arm without trials, or no event, or nothing but events, in both.</returns>
    public static double? P(long lostA, long attemptsA, long lostB, long attemptsB)
    {
        var (lost, attempts) = (lostA + lostB, attemptsA + attemptsB);
        if (attemptsA == 0 || attemptsB == 0 || lost == 0 || lost == attempts)
            return null;
        var (low, high) = (Math.Max(0, lost - attemptsB), Math.Min(lost, attemptsA));
        // Weights relative to the mode, so that no factorial is needed and small tails keep their digits.
        var mode = Math.Clamp((long)((attemptsA + 1.0) * (lost + 1) / (attempts + 2)), low, high);
        double Up(long k) => (double)(attemptsA - k) / (k + 1) * (lost - k) / (attemptsB - lost + k + 1);
        double weight = 1, observed = 1;
        var weights = new List<double> { 1 };
        for (var k = mode; k < high; k++)
        {
            weights.Add(weight *= Up(k));
            observed = k + 1 == lostA ? weight : observed;
        }

        weight = 1;
        for (var k = mode - 1; k >= low; k--)
        {
            weights.Add(weight /= Up(k));
            observed = k == lostA ? weight : observed;
        }

        // Smallest first: nothing is lost in the sum.
        weights.Sort();
        return weights.TakeWhile(w => w <= observed * Equal).Sum() / weights.Sum();
    }
}
