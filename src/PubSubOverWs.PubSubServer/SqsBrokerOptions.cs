using System.ComponentModel.DataAnnotations;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// How the server uses its queue, section <c>Sqs</c>; where the queue is, in the same section, is <see cref="Sqs.SqsOptions"/>.
/// </summary>
internal sealed class SqsBrokerOptions
{
    /// <summary>
    /// Name of the queue, 1 to 60 characters of <c>[A-Za-z0-9_-]</c>. It, its dead-letter queue <c>NAME-dead</c> and its parked queue
    /// <c>NAME-parked</c> are created when missing; those of several servers that share their work are called <c>NAME-node-ID</c> and
    /// <c>NAME-node-ID-control</c>.
    /// </summary>
    [Required, RegularExpression("[A-Za-z0-9_-]{1,60}", ErrorMessage = "Sqs:Queue must be 1 to 60 characters of A-Z, a-z, 0-9, _ and -.")]
    public string Queue { get; set; } = "pubsub-over-ws";

    /// <summary>
    /// How long one receive call waits for messages: whole seconds from 0 s (short polls, each paid for) to 20 s. A stopping server waits
    /// for its polls to lapse, so keep it within half of the shutdown time-out of 30 s.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:20"), WholeSeconds]
    public TimeSpan WaitTime { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>Receive calls under way at once, 1 to 64, each for up to 10 messages. Far queues need more of them.</summary>
    [Range(1, 64)]
    public int PollLoops { get; set; } = 4;

    /// <summary>
    /// How long a received message is hidden from other servers: whole seconds from 3 s to 12 h. Renewed between 0.33 and 0.6 of it; what
    /// a killed server held is received again after it.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:03", "12:00:00"), WholeSeconds]
    public TimeSpan VisibilityTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// SQS messages received and not yet deleted or released, 10 to 110,000: at that many, no further receive is made. SQS itself allows
    /// about 120,000 for each queue.
    /// </summary>
    [Range(10, 110_000)]
    public int MaxInFlight { get; set; } = 50_000;

    /// <summary>
    /// The most that all subscribers together may have and not have settled: half of <see cref="MaxInFlight"/> and
    /// <see cref="MaxInFlightBytes"/>, less a small reserve. A quarter stays free for subscribers that have nothing, and a quarter is for
    /// <see cref="MostHeld"/>, so that polls never wait for a subscriber (docs/decisions/0118). Not a setting.
    /// </summary>
    public MostGiven MostGiven => new(SharedMessages / 2, SharedBytes / 2);

    /// <summary>
    /// The most that may wait in this server: <see cref="HeldMessages"/> of each queue and <see cref="HeldBytes"/> of all queues together,
    /// but at most a quarter of what may be in flight. Not a setting.
    /// </summary>
    public (int Messages, long Bytes) MostHeld =>
        (Math.Min(HeldMessages, SharedMessages / 4), Math.Min(HeldBytes, SharedBytes / 4));

    /// <summary>
    /// Bytes of memory that these SQS messages may take, of all queues together, 64 MiB to 64 GiB: bodies, headers, names and receipt
    /// handles. A receive is made only while 20 MiB are free.
    /// </summary>
    [Range(64L << 20, 64L << 30)]
    public long MaxInFlightBytes { get; set; } = 256 << 20;

    /// <summary>
    /// Messages of one queue that the server keeps while they wait for a subscriber, for prefetch room or for the delay after a NACK: 0
    /// (none) to 100,000, below a quarter of <see cref="MaxInFlight"/>. One destination takes at most as many as are left for the others.
    /// When they are used up, messages go to the parked queue.
    /// </summary>
    [Range(0, 100_000)]
    public int HeldMessages { get; set; } = 5_000;

    /// <summary>
    /// Bytes of memory that the messages counted by <see cref="HeldMessages"/> may take, of all queues together: 0 to 1 GiB, and at most a
    /// quarter of <see cref="MaxInFlightBytes"/> less 40 MiB. While no message of a queue waits, one of any size may.
    /// </summary>
    [Range(0, 1L << 30)]
    public long HeldBytes { get; set; } = 32 << 20;

    /// <summary>
    /// Failed deliveries, 1 to 1,000, after which a message goes to the dead-letter queue: a NACK of it, or a connection that ended, not in
    /// order, while its client was at it (docs/decisions/0211).
    /// </summary>
    [Range(1, 1_000)]
    public int MaxDeliveries { get; set; } = 10;

    /// <summary>How publishes are gathered into calls.</summary>
    public SendingOptions Sending { get; set; } = new();

    /// <summary>When a message that is not acknowledged counts as delivered.</summary>
    public SettleOptions Settle { get; set; } = new();

    /// <summary>How this server shares its work with others, if it does.</summary>
    public NodeOptions Nodes { get; set; } = new();

    /// <summary>How long a publish waits for a queue that does not answer, 100 ms to 5 min; then the publisher gets an ERROR.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:05:00")]
    public TimeSpan PublishTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Seed of the jitter in release delays: any number. The same seed gives the same delays.</summary>
    public int Seed { get; set; } = 1;

    // Calls at the same moment may each give one message too many.
    private int SharedMessages => MaxInFlight - Math.Min(64, (MaxInFlight / 10) + 1);

    // One receive must fit as well, and a message may be larger than the memory that was left when it was given.
    private long SharedBytes => MaxInFlightBytes - (2 * InFlightMemory.PerReceive);
}

/// <summary>SQS takes times in whole seconds: half a second would silently become none.</summary>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class WholeSecondsAttribute() : ValidationAttribute("{0} must be whole seconds.")
{
    public override bool IsValid(object? value) => value is not TimeSpan time || time.Ticks % TimeSpan.TicksPerSecond == 0;
}
