using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Publishing is sending: the queue has the message before its publisher is told, and a subscriber gets it when it has come back. Opens the
/// queue before the server accepts its first connection.
/// </summary>
internal class SqsBroker : BackgroundService, IBroker
{
    // Exit codes. A fault that may be temporary is the queue's; any other (no credentials, no region, no permission) is in the settings.
    private const int BadSettings = 5;
    private const int Unreachable = 10;

    private readonly IServiceProvider _services;
    private readonly Func<Delivery, DeliverOutcome> _deliver;
    private readonly RelayMeter _relayMeter;
    private readonly IHostApplicationLifetime _application;

    public SqsBroker(
        IServiceProvider services, SqsBrokerOptions options, Func<Delivery, DeliverOutcome> deliver, RelayMeter relayMeter,
        TimeProvider time, IHostApplicationLifetime application, ILogger<SqsBroker> log)
    {
        (_services, _deliver, _relayMeter, _application) = (services, deliver, relayMeter, application);
        (Options, Time, Log) = (options, time, log);
        Health = new QueueHealth(time, log);
        Memory = QueueMemory.Of(options, time);
    }

    public string Name => "pubsub";

    public bool Keeps => true;

    public MostGiven? MostGiven => Options.MostGiven;

    public QueueStats? Queue => Meter.Read(Urls, [Sqs.Traffic], Leases, Nodes);

    /// <summary>The queue without which this server is not ready.</summary>
    public QueueUrls Urls { get; protected set; } = null!;

    /// <summary>What was received and is neither deleted nor released.</summary>
    public virtual IReadOnlyList<Leases> Leases => [.. Flows.Select(flow => flow.Leases)];

    protected SqsBrokerOptions Options { get; }

    protected TimeProvider Time { get; }

    protected ILogger Log { get; }

    protected QueueHealth Health { get; }

    protected QueueMemory Memory { get; }

    protected QueueMeter Meter { get; } = new();

    /// <summary>Servers that share the work, with this one.</summary>
    protected virtual int Nodes => 1;

    // These are there once the queue is open, as are the queue's addresses.
    protected WatchedSqs Sqs { get; set; } = null!;

    protected Publisher Publisher { get; set; } = null!;

    protected Quiet Quiet { get; set; } = null!;

    protected QueueFlow[] Flows { get; set; } = [];

    /// <summary>What runs until the server stops: each is told when nothing more is published, and when to stop.</summary>
    protected virtual IReadOnlyList<Func<Task, CancellationToken, Task>> Parts =>
        [.. Flows.Select<QueueFlow, Func<Task, CancellationToken, Task>>(flow => flow.RunAsync)];

    public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages) => Publisher.PublishAsync(messages);

    public virtual void RoomAt(string destination) => Memory.Parked.RoomAt(destination, isWanted: !OfferHeld(destination));

    /// <summary>Whether the queue answers, and takes the other calls too, for <c>/health/ready</c>.</summary>
    /// <returns>Null: it does. Otherwise a sentence about what fails at present.</returns>
    /// <exception cref="SqsException">It does not answer, or refused.</exception>
    public virtual async Task<string?> AskAsync(CancellationToken cancellationToken)
    {
        await Sqs.GetQueueAttributesAsync(Urls.Url, cancellationToken);
        return Health.Trouble;
    }

    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            // Created here and not injected: it looks for the region, and must be able to report that there is none.
            await OpenAsync(_services.GetRequiredService<ISqs>(), cancellationToken);
        }
        catch (SqsException failure)
        {
            throw new StartFailedException(failure.Message, failure.IsRetryable ? Unreachable : BadSettings);
        }
        Log.Opened(Urls.Url, Urls.DeadLetterUrl);
        await base.StartAsync(cancellationToken);
    }

    /// <summary>Finds the queue or creates it, and makes what sends to it and reads it.</summary>
    /// <exception cref="SqsException">It cannot be reached, or refused.</exception>
    public virtual async Task OpenAsync(ISqs sqs, CancellationToken cancellationToken)
    {
        Urls = await QueueUrls.OpenAsync(sqs, Options.Queue, cancellationToken);
        Sqs = new WatchedSqs(sqs, Health);
        var sender = new EnvelopeSender(EnvelopeTarget.Queue(Sqs, Urls.Name, Urls.Url), Options.Sending, Time);
        Quiet = new Quiet(sender);
        Publisher = new Publisher(sender, Options.PublishTimeout, Meter, new PatientCalls(Time, Quiet.Token), Time);
        Flows = [Read(Urls, _deliver), Read(Urls.Parked, _deliver)];
    }

    /// <summary>Runs until the server stops, and leaves nothing here that the queue does not know of.</summary>
    /// <param name="stopping">Stops receiving; messages on their way here go back to the queue, and what subscribers have is still
    /// settled.</param>
    /// <param name="connectionsClosed">No client can publish or acknowledge.</param>
    public Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed) =>
        Quiet.RunAsync(Parts, stopping, connectionsClosed);

    public override void Dispose()
    {
        foreach (var flow in Flows)
            flow.Dispose();
        Quiet?.Dispose();
        base.Dispose();
    }

    protected QueueFlow Read(
        QueueUrls urls, Func<Delivery, DeliverOutcome> deliver, Func<InboundMessage, EnvelopeSender?>? elsewhere = null) =>
        new(Sqs, urls, Memory, Options, deliver, elsewhere, Meter, _relayMeter, Time, Log);

    /// <returns>Whether messages are held for the destination, which are offered now.</returns>
    protected virtual bool OfferHeld(string destination)
    {
        var areHeld = false;
        foreach (var flow in Flows)
            areHeld |= flow.RoomAt(destination);
        return areHeld;
    }

    // The polls end while the connections close; this service is stopped only then, because it was started before the web server.
    protected override Task ExecuteAsync(CancellationToken stoppingToken) => RunAsync(_application.ApplicationStopping, stoppingToken);
}
