namespace PubSubOverWs.Relay;

/// <summary>One timer for all sessions: turns the wheel of those that have heart-beats or time-outs due, four times a second.</summary>
internal sealed class SessionClock(RelayContext relay) : BackgroundService
{
    public static readonly TimeSpan Period = TimerWheel.Period;

    private readonly OutboxBatch _batch = new(relay.Options);

    /// <summary>A turn of the wheel. PINGs and heart-beats that are due together leave together, without a thread hop for each.</summary>
    public void Turn()
    {
        if (!relay.Awake.Turn())
            return;
        _batch.Enter();
        try
        {
            relay.Wheel.Turn();
        }
        finally
        {
            OutboxBatch.Leave();
            _batch.Flush();
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Period, relay.Time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
                Turn();
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // The server stops.
        }
        finally
        {
            relay.Awake.EndTurns();
        }
    }
}
