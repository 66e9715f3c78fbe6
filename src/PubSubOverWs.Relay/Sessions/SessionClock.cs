namespace PubSubOverWs.Relay;

/// <summary>One timer for all sessions: heart-beats and time-outs, four times a second.</summary>
internal sealed class SessionClock(Connections connections, TimeProvider time) : BackgroundService
{
    public static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Period, time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
                connections.Tick();
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // The server stops.
        }
    }
}
