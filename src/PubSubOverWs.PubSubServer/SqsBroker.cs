using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Publish is send: the queue has the message before its publisher hears so, and a subscriber gets it when it came back. Opens the queue
/// before the server takes its first connection.
/// </summary>
internal sealed class SqsBroker(
    IServiceProvider services, IOptions<SqsBrokerOptions> options, Subscriptions subscriptions, RelayMeter meter, TimeProvider time,
    NodeId node, IHostApplicationLifetime application, ILogger<SqsBroker> log) : BackgroundService, IBroker
{
    // Exit codes. A fault that may pass by itself is the queue's; any other (no credentials, no region, no permission) is in the settings.
    private const int BadSettings = 5;
    private const int Unreachable = 10;

    private IFlow? _flow;

    public string Name => "pubsub";

    public QueueStats? Queue => Flow.Stats;

    public bool Keeps => true;

    public MostGiven? MostGiven => options.Value.MostGiven;

    public string QueueUrl => Flow.Urls.Url;

    /// <exception cref="InvalidOperationException">The server has not started.</exception>
    public IFlow Flow => _flow ?? throw new InvalidOperationException("The queue is not open: the server has not started.");

    public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages) =>
        Flow.Publisher.PublishAsync(messages);

    public void RoomAt(string destination) => Flow.RoomAt(destination);

    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            // Made here and not injected: it looks for the region, and must be able to say that there is none.
            var sqs = services.GetRequiredService<ISqs>();
            _flow = options.Value.Nodes.Enabled
                ? await OpenNodeAsync(sqs, cancellationToken)
                : await OpenAloneAsync(sqs, cancellationToken);
        }
        catch (SqsException failure)
        {
            throw new StartFailedException(failure.Message, failure.IsRetryable ? Unreachable : BadSettings);
        }
        log.Opened(Flow.Urls.Url, Flow.Urls.DeadLetterUrl);
        await base.StartAsync(cancellationToken);
    }

    private async Task<IFlow> OpenAloneAsync(ISqs sqs, CancellationToken cancellationToken) => new SqsFlow(
        sqs, await QueueUrls.OpenAsync(sqs, options.Value.Queue, cancellationToken), options.Value, subscriptions.Deliver, meter, time,
        log);

    private async Task<IFlow> OpenNodeAsync(ISqs sqs, CancellationToken cancellationToken)
    {
        var sns = services.GetRequiredService<ISns>();
        var queues = await NodeQueues.OpenAsync(sqs, sns, options.Value.Queue, node.Value, cancellationToken);
        return new NodeFlow(sqs, sns, queues, options.Value, subscriptions, meter, time, log);
    }

    public override void Dispose()
    {
        _flow?.Dispose();
        base.Dispose();
    }

    /// <summary>Whether the queue answers, and takes the other calls too, for <c>/health/ready</c>.</summary>
    /// <returns>Null: so it is. Otherwise the sentence of what fails at present.</returns>
    /// <exception cref="SqsException">It does not answer, or refused.</exception>
    public Task<string?> AskAsync(CancellationToken cancellationToken) => Flow.AskAsync(cancellationToken);

    // The polls lapse while the connections close; only then is this service stopped, for it was started before the web server.
    protected override Task ExecuteAsync(CancellationToken stoppingToken) => Flow.RunAsync(application.ApplicationStopping, stoppingToken);
}
