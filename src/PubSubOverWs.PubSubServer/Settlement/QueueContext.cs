using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Objects that all parts share that send to a server's queues, or read them; with the budgets within which all flows stay together.
/// </summary>
/// <param name="Health">Told by the client how its calls went.</param>
/// <param name="RelayMeter">Counts what is lost.</param>
/// <param name="Awake">That by which a publish waits for the queue's answer.</param>
internal sealed record QueueContext(
    ISqs Sqs, QueueHealth Health, SqsBrokerOptions Options, RelayMeter RelayMeter, TimeProvider Time, TimeProvider Awake, ILogger Log)
{
    private const int RememberedDeliveries = 10_000;
    private const int BytesOfDelivery = 100;
    private const long RememberedBytes = 16 << 20;

    public QueueMeter Meter { get; } = new();

    /// <summary>For SQS messages that were received and are neither deleted nor released.</summary>
    public InFlightBudget InFlight { get; init; } = new(Options.MaxInFlightBytes);

    /// <summary>Of that, for messages that wait for a subscriber, for room, or for the delay after a NACK.</summary>
    public Budget Held { get; } = new(Options.MaxHeld.Bytes);

    /// <summary>
    /// How many deliveries of messages failed that are in the queue again, as the queue itself counts only how often it handed one out. A
    /// message that is forgotten counts from zero.
    /// </summary>
    public RecentValues<(string Id, string Destination), int> Deliveries { get; } = new(
        RememberedDeliveries, RememberedBytes, key => BytesOfDelivery + (sizeof(char) * (key.Id.Length + key.Destination.Length)));

    /// <summary>The server's knowledge of the parked queue.</summary>
    public ParkedDestinations Parked { get; } = new(Time, Options.VisibilityTimeout);

    public static QueueContext Create(
        ISqs sqs, SqsBrokerOptions options, RelayMeter relayMeter, TimeProvider time, TimeProvider awake, ILogger log)
    {
        var health = new QueueHealth(time, log);
        return new(new WatchedSqs(sqs, health), health, options, relayMeter, time, awake, log);
    }

    /// <summary>The most that all this may take, in bytes, with the bodies that are under way from one queue to another.</summary>
    public static long ComputeMaxBytes(SqsBrokerOptions options)
    {
        // Its own and the parked one; of a node also the one that all share, and that of a dead node.
        var queues = options.Nodes.Enabled ? 4 : 2;
        return options.MaxInFlightBytes + RememberedBytes + ParkedDestinations.MaxBytes + (queues * Settler.MaxBytesUnderWay);
    }
}

/// <summary>Objects that the parts of one <see cref="QueueFlow"/> share.</summary>
/// <param name="Server">Shared with all flows of the server.</param>
/// <param name="Urls">The queue that is read, and where else its messages go.</param>
/// <param name="Leases">Messages that were received and are neither deleted nor released.</param>
/// <param name="Calls">Repeats calls until the flow ends.</param>
internal sealed record FlowContext(QueueContext Server, QueueUrls Urls, Leases Leases, PatientCalls Calls)
{
    public static FlowContext Create(QueueContext server, QueueUrls urls, CancellationToken stopped) => new(
        server, urls, new Leases(server.Time, server.Options.VisibilityTimeout, server.Options.MaxInFlight, server.InFlight),
        new PatientCalls(server.Time, stopped));
}
