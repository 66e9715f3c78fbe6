using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>
/// Asks the clients to leave before the web server stops, which would wait for WebSockets of the default front end, and cut others.
/// Publishes under way are answered first; the session clock cuts clients that do not leave within <see cref="RelayOptions.CloseTimeout"/>
/// after that, and this class cuts the rest after half of the shutdown time-out, as the other half is the broker's.
/// </summary>
internal sealed class ConnectionsShutdown(Connections connections, RelayContext relay, IOptions<HostOptions> host) : IHostedLifecycleService
{
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        var ended = connections.StopAsync();
        try
        {
            await ended.WaitAsync(host.Value.ShutdownTimeout / 2, relay.Awake, cancellationToken);
        }
        catch (TimeoutException)
        {
            connections.AbortAll();
            // Their unsettled messages are given back when this is over, while the broker still runs.
            await ended.WaitAsync(cancellationToken);
        }
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}

/// <summary>A server that stops is not ready, while it still answers.</summary>
internal sealed class StoppingReadiness(Connections connections) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(connections.IsStopping ? HealthCheckResult.Unhealthy("The server is stopping.") : HealthCheckResult.Healthy());
}
