using Microsoft.Extensions.Diagnostics.HealthChecks;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Ready is: the queue answers now, and what else was asked of it lately did not fail (<see cref="QueueHealth"/>).</summary>
internal sealed class QueueReadiness(SqsBroker broker, TimeProvider time) : IHealthCheck
{
    // Shorter than the retries of the client: who asks for readiness will ask again.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        using var patience = new CancellationTokenSource(Patience, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        try
        {
            return await broker.AskAsync(either.Token) is { } trouble ? HealthCheckResult.Unhealthy(trouble) : HealthCheckResult.Healthy();
        }
        catch (SqsException failure)
        {
            return HealthCheckResult.Unhealthy(failure.Message);
        }
        catch (OperationCanceledException lapsed) when (patience.IsCancellationRequested)
        {
            return HealthCheckResult.Unhealthy(
                lapsed.InnerException is SqsException failure ? failure.Message
                : $"The queue {broker.QueueUrl} did not answer within {Patience.TotalSeconds} s: see whether it is overloaded.");
        }
    }
}
