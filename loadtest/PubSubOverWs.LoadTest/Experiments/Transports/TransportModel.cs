namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// Expected latencies in ms where every message takes the same time nu each way: as published, and as they are. The sensor gives a
/// measurement every <paramref name="Period"/>; a client that polls waits <paramref name="Pause"/> after each response.
/// </summary>
public sealed record TransportModel(double Period, double Pause)
{
    /// <summary>Within so much of a place where polls keep their phase towards the sensor, a mean says nothing about the model.</summary>
    private const double Locked = 20;

    public static TransportModel Compute(TransportScenario scenario) =>
        new(scenario.Period.TotalMilliseconds, scenario.PollingPause.TotalMilliseconds);

    /// <summary>What the server sends at once, by WebSocket or as an event, takes the way to the client.</summary>
    public static double Push(double nu) => nu;

    /// <summary>
    /// Polling, as published and as it is: a measurement waits for the next poll, whose cycle is two ways and the pause, and takes one way
    /// more. From <c>nu</c> to <c>3 nu + pause</c>.
    /// </summary>
    public double Polling(double nu) => (2 * nu) + (Pause / 2);

    /// <summary>Long polling as published: <c>3 nu/2</c> above half a period.</summary>
    public double PublishedLongPolling(double nu) => nu < Period / 2 ? nu : 1.5 * nu;

    /// <summary>
    /// Long polling as it is. Below half a period the poll is back before the next measurement, which is then sent at once. Above, every
    /// poll finds something, so that it is polling without a pause: <c>2 nu</c>, from <c>nu</c> to <c>3 nu</c>.
    /// </summary>
    public double LongPolling(double nu) => nu < Period / 2 ? nu : 2 * nu;

    /// <summary>The corrected expectation of an arm.</summary>
    public double Expected(string arm, double nu) => arm switch
    {
        TransportArms.LongPolling => LongPolling(nu),
        TransportArms.Polling => Polling(nu),
        _ => Push(nu),
    };

    /// <summary>
    /// False: nu is so close to a place where a cycle of polls is a period that polls may keep their phase towards the sensor, or long
    /// polling changes from one of its ways to the other.
    /// </summary>
    public bool IsClear(string arm, double nu) => arm switch
    {
        TransportArms.LongPolling => Math.Abs((2 * nu) - Period) >= Locked,
        TransportArms.Polling => Math.Abs((2 * nu) + Pause - Period) >= Locked,
        _ => true,
    };
}

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
        var step = longest / Steps;
        var mean = 0.0;
        var square = 0.0;
        for (var i = 0; i < Steps; i++)
        {
            var x = (i + 0.5) * step;
            var within = drawn.Cdf(x);
            var place = x + period;
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
            var found = Delivered(LogNormal.From(drawn.Mean, drawn.Deviation), period, longest);
            if (Math.Abs(found.Mean - mean) < Close * mean && Math.Abs(found.Deviation - deviation) < Close * deviation)
                break;
            drawn = (Math.Max(drawn.Mean + mean - found.Mean, mean / 10), drawn.Deviation * deviation / found.Deviation);
        }

        return drawn;
    }
}

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
        var polls = random.NextDouble() * period;
        var next = 0;
        var sum = 0.0;
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

/// <summary>What the model of drawn delays expects of a published test, as a ratio to what WebSocket delivers.</summary>
public static class ExpectedRatios
{
    /// <summary>Null: the model says nothing of the arm.</summary>
    /// <param name="scenario">Its delays, its sensor and its polls.</param>
    public static double? Compute(TransportsScenario scenario, string arm, Level level)
    {
        var network = scenario.NetworkAt(level);
        var period = scenario.Period.TotalMilliseconds;
        var simulation = new PollingSimulation(
            LogNormal.From(network.Latency!.Value.TotalMilliseconds, network.LatencyDeviation.TotalMilliseconds), period);
        var delivered = TransportsScenario.PublishedAt(level).WebSocket.Mean;
        return arm switch
        {
            TransportArms.WebSocket or TransportArms.Events => 1,
            TransportArms.LongPolling => simulation.LongPolling(scenario.LongPollingWait.TotalMilliseconds) / delivered,
            TransportArms.Polling => simulation.Polling(scenario.PollingPause.TotalMilliseconds) / delivered,
            _ => null,
        };
    }
}
