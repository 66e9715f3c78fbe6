using Microsoft.Extensions.Diagnostics.HealthChecks;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Ready means that the queue answers now, and that no recent call to it failed (<see cref="QueueHealth"/>). However many probes come, the
/// queue is called once in <see cref="Remembered"/>, as SQS bills each call.
/// </summary>
internal sealed class QueueReadiness(SqsBroker broker, TimeProvider time) : IHealthCheck
{
    /// <summary>How long an answer is used again.</summary>
    public static readonly TimeSpan Remembered = TimeSpan.FromSeconds(1);

    // Shorter than the retries of the client: probes are repeated anyway.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly Lock _lock = new();
    private Task<HealthCheckResult>? _answer;
    private long _answeredAt;

    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        lock (_lock)
        {
            if (_answer is not { } answer || (answer.IsCompleted && time.GetElapsedTime(_answeredAt) >= Remembered))
                answer = _answer = AskAsync();
            return answer.WaitAsync(cancellationToken);
        }
    }

    private async Task<HealthCheckResult> AskAsync()
    {
        using var patience = new CancellationTokenSource(Patience, time);
        try
        {
            return await broker.Server.AskAsync(patience.Token) is { } trouble
                ? HealthCheckResult.Unhealthy(trouble)
                : HealthCheckResult.Healthy();
        }
        catch (SqsException failure)
        {
            return HealthCheckResult.Unhealthy(failure.Message);
        }
        catch (OperationCanceledException lapsed) when (patience.IsCancellationRequested)
        {
            return HealthCheckResult.Unhealthy(
                lapsed.InnerException is SqsException failure ? failure.Message
                : $"The queue {broker.Server.Urls.Url} did not answer within {Patience.TotalSeconds} s: check whether it is overloaded.");
        }
        finally
        {
            Volatile.Write(ref _answeredAt, time.GetTimestamp());
        }
    }
}
