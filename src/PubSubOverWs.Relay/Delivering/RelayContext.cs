using System.Collections.Concurrent;
using Microsoft.Extensions.Options;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <summary>Objects that all connections of a server share.</summary>
internal sealed class RelayContext(
    IOptions<RelayOptions> options, Gate gate, IBroker broker, Subscriptions subscriptions, RelayMeter meter, TimeProvider time,
    AwakeTime awake, RelayTelemetry telemetry, ILogger<RelayContext> log)
{
    public RelayOptions Options { get; } = options.Value;
    public Gate Gate { get; } = gate;
    public IBroker Broker { get; } = new ObservedBroker(broker);
    public Subscriptions Subscriptions { get; } = subscriptions.ServedBy(broker);
    public RelayMeter Meter { get; } = meter;
    public RelayTelemetry Telemetry { get; } = telemetry;
    public TimeProvider Time { get; } = time;

    /// <summary>For all that clients are given time for.</summary>
    public AwakeTime Awake { get; } = awake;
    public ILogger Log { get; } = log;

    /// <summary>Of the sessions, each with its next time-out or heart-beat.</summary>
    public TimerWheel Wheel { get; } = new(time, awake);

    /// <summary>Time stamp of <see cref="Awake"/>, as all by which a client is judged.</summary>
    public long Now => Awake.GetTimestamp();

    /// <summary>Time stamp of <see cref="Time"/>.</summary>
    public long Started { get; } = time.GetTimestamp();

    /// <summary>The time stamp of so much later.</summary>
    public long After(long stamp, TimeSpan later) => stamp + (long)(later.TotalSeconds * Time.TimestampFrequency);

    public MemoryBudget OutboxBudget { get; } = new(options.Value.OutboxBytesTotal);
    public MemoryBudget UnacknowledgedBudget { get; } = new(options.Value.UnacknowledgedBytesTotal);

    /// <summary>Bytes that wait in the backlogs of topic subscriptions.</summary>
    public Budget TopicBacklogs { get; } = new(options.Value.TopicBacklogBytesTotal);

    /// <summary>
    /// Messages that each user's connections were given and have not settled, by login; where
    /// <see cref="Subscriptions.UnsettledBudget"/> bounds them.
    /// </summary>
    public ConcurrentDictionary<string, SharedReservation> Users { get; } = new(StringComparer.Ordinal);

    public MemoryBudget SentBudget { get; } = new(options.Value.SentBytesTotal);
    public ConnectionCounts Counts { get; } = new(options.Value);
    public AddressRates AddressRates { get; } = new(options.Value, time);

    public StompLimits FrameLimits { get; } = new()
    {
        MaxHeaders = options.Value.MaxHeaders,
        MaxHeaderBytes = options.Value.MaxHeaderBytes,
        MaxBodyBytes = options.Value.MaxMessageBytes,
    };
}
