using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>
/// Before the web server stops, which would wait for its WebSockets: asks the clients to leave. Publishes under way are answered first; the
/// session clock cuts who does not leave within <see cref="RelayOptions.CloseTimeout"/> after that, and this cuts all that are there after
/// half of the shutdown time-out, for the other half is the broker's.
/// </summary>
internal sealed class ConnectionsShutdown(Connections connections, RelayContext relay, IOptions<HostOptions> host) : IHostedLifecycleService
{
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        var ended = connections.StopAsync();
        try
        {
            await ended.WaitAsync(host.Value.ShutdownTimeout / 2, relay.Time, cancellationToken);
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
