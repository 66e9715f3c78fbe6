using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace PubSubOverWs.Relay;

/// <summary>A server that stops is not ready, while it still answers.</summary>
internal sealed class StoppingReadiness(Connections connections) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(connections.IsStopping ? HealthCheckResult.Unhealthy("The server is stopping.") : HealthCheckResult.Healthy());
}
