using Microsoft.Extensions.Diagnostics.HealthChecks;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Publishing is sending: the queue has the message before its publisher is told, and a subscriber gets it when it has come back. Opens the
/// queue before the server accepts its first connection.
/// </summary>
/// <param name="open">Opens the queue; throws <see cref="QueueException"/> when it cannot be reached, or refuses.</param>
internal sealed class QueueBroker(
    QueueBrokerOptions options, Func<CancellationToken, Task<QueueServer>> open, IHostApplicationLifetime application,
    ILogger<QueueBroker> log)
    : BackgroundService, IBroker
{
    private QueueServer? _server;

    public string Name => "pubsub";

    public bool Keeps => true;

    public UnsettledBudget UnsettledBudget { get; } = new(options.MaxUnsettled.Messages, options.MaxUnsettled.Bytes);

    public QueueStats? Queue => Server.Stats;

    /// <summary>There from the start of the server on.</summary>
    public QueueServer Server => _server ?? throw new InvalidOperationException("The queue is not open yet: start the broker first.");

    public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages) => Server.Publisher.PublishAsync(messages);

    public void RoomAt(string destination) => Server.RoomAt(destination);

    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            _server = await open(cancellationToken);
        }
        catch (QueueException failure)
        {
            // A fault that may be temporary is the queue's; any other (no credentials, no region, no permission) is in the settings.
            throw new StartFailedException(
                failure.Message, failure.IsRetryable ? StartFailedException.Unreachable : StartFailedException.BadUsage);
        }
        log.Opened(Server.Urls.Url, Server.Urls.DeadLetterUrl);
        await base.StartAsync(cancellationToken);
    }

    public override void Dispose()
    {
        _server?.Dispose();
        base.Dispose();
    }

    // The polls end while the connections close; this service is stopped only then, because it was started before the web server.
    protected override Task ExecuteAsync(CancellationToken stoppingToken) =>
        Server.RunAsync(application.ApplicationStopping, stoppingToken);
}

/// <summary>
/// Ready means that the queue answers now, and that no recent call to it failed (<see cref="QueueHealth"/>). However many probes come, the
/// queue is called once in <see cref="Remembered"/>, as SQS bills each call.
/// </summary>
internal sealed class QueueReadiness(QueueBroker broker, TimeProvider time) : IHealthCheck
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
        catch (QueueException failure)
        {
            return HealthCheckResult.Unhealthy(failure.Message);
        }
        catch (OperationCanceledException lapsed) when (patience.IsCancellationRequested)
        {
            return HealthCheckResult.Unhealthy(
                lapsed.InnerException is QueueException failure ? failure.Message
                : $"The queue {broker.Server.Urls.Url} did not answer within {Patience.TotalSeconds} s: check whether it is overloaded.");
        }
        finally
        {
            Volatile.Write(ref _answeredAt, time.GetTimestamp());
        }
    }
}
