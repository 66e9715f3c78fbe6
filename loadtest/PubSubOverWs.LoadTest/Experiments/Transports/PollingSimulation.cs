namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// What a client that polls receives, message by message, where delays are drawn: there is no formula for that. All times are in ms. The
/// draws have a seed, so that it gives the same result everywhere.
/// </summary>
/// <param name="drawn">The delay of each request and of each response.</param>
/// <param name="period">From one measurement to the next.</param>
public sealed class PollingSimulation(LogNormal drawn, double period)
{
    private const int Seed = 2012;
    private const int Measurements = 20_000;

    /// <summary>The mean latency with one poll outstanding, each answered when there is something, after a wait at the latest.</summary>
    public double LongPolling(double wait) => Mean(wait, pause: 0);

    /// <summary>The mean latency where a poll is answered at once, and the next follows after a pause.</summary>
    public double Polling(double pause) => Mean(wait: 0, pause);

    // One poll is outstanding at a time, so that nothing overtakes anything.
    private double Mean(double wait, double pause)
    {
        var random = new Random(Seed);
        var (polls, next, sum) = (random.NextDouble() * period, 0, 0.0);
        while (next < Measurements)
        {
            var asked = polls + drawn.Draw(random);
            var answered = Math.Max(asked, Math.Min(asked + wait, next * period));
            var received = answered + drawn.Draw(random);
            for (; next < Measurements && next * period <= answered; next++)
                sum += received - (next * period);
            polls = received + pause;
        }

        return sum / Measurements;
    }
}
