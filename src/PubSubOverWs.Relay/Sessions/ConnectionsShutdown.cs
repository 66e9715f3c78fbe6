namespace PubSubOverWs.Relay;

/// <summary>Before the web server stops, which would wait for its WebSockets: asks the clients to leave, and cuts those that do not.</summary>
internal sealed class ConnectionsShutdown(Connections connections, RelayContext relay) : IHostedLifecycleService
{
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        var ended = connections.StopAsync();
        try
        {
            await ended.WaitAsync(relay.Options.CloseTimeout, relay.Time, cancellationToken);
        }
        catch (TimeoutException)
        {
            connections.AbortAll();
            // What they had not settled is given back when this is over, while the broker still runs.
            await ended.WaitAsync(cancellationToken);
        }
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
