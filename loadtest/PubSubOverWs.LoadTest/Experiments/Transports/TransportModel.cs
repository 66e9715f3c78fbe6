namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// Expected latencies in ms where every message takes the same time nu each way: as published, and as they are. The sensor gives a
/// measurement every <paramref name="Period"/>; a client that polls waits <paramref name="Pause"/> after each response.
/// </summary>
public sealed record TransportModel(double Period, double Pause)
{
    /// <summary>Within so much of a place where polls keep their phase towards the sensor, a mean says nothing about the model.</summary>
    private const double Locked = 20;

    public static TransportModel Of(TransportScenario scenario) =>
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
