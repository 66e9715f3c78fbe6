namespace PubSubOverWs.Relay;

/// <summary>One timer for all sessions: turns the wheel of those that have heart-beats or time-outs due, four times a second.</summary>
internal sealed class SessionClock(RelayContext relay) : BackgroundService
{
    public static readonly TimeSpan Period = TimerWheel.Period;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Period, relay.Time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
                relay.Wheel.Turn();
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // The server stops.
        }
    }
}
