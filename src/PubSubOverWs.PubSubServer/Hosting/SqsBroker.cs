using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Publishing is sending: the queue has the message before its publisher is told, and a subscriber gets it when it has come back. Opens the
/// queue before the server accepts its first connection.
/// </summary>
/// <param name="options">How the queue is used.</param>
/// <param name="open">Opens the queue; throws <see cref="SqsException"/> when it cannot be reached, or refuses.</param>
/// <param name="application">Says when the server stops.</param>
/// <param name="log">Says which queue it is.</param>
internal sealed class SqsBroker(
    SqsBrokerOptions options, Func<CancellationToken, Task<QueueServer>> open, IHostApplicationLifetime application, ILogger<SqsBroker> log)
    : BackgroundService, IBroker
{
    private QueueServer? _server;

    public string Name => "pubsub";

    public bool Keeps => true;

    public MostGiven? MostGiven => options.MostGiven;

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
        catch (SqsException failure)
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
