using System.ComponentModel.DataAnnotations;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// How the server uses its queue, section <c>Queue</c>; where the queue is has a section of its own, such as <see cref="Sqs.SqsOptions"/>.
/// </summary>
internal sealed class QueueBrokerOptions : IValidatableObject
{
    /// <summary>Which service the queue is; where it is has a section of that name.</summary>
    public QueueKind Kind { get; set; } = QueueKind.Sqs;

    /// <summary>
    /// Name of the queue, 1 to 60 characters of <c>[A-Za-z0-9_-]</c>. It, its dead-letter queue <c>NAME-dead</c> and its parked queue
    /// <c>NAME-parked</c> are created when missing; those of several servers that share their work are called <c>NAME-node-ID</c> and
    /// <c>NAME-node-ID-control</c>.
    /// </summary>
    [FormerName("Sqs:Queue")]
    [Required, RegularExpression("[A-Za-z0-9_-]{1,60}", ErrorMessage = "Queue:Name must be 1 to 60 characters of A-Z, a-z, 0-9, _ and -.")]
    public string Name { get; set; } = "pubsub-over-ws";

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
    /// What all subscribers together may have and not have settled: half of <see cref="MaxInFlight"/> and
    /// <see cref="MaxInFlightBytes"/>, less a small reserve. A quarter stays free for subscribers that have nothing, and a quarter is for
    /// <see cref="MaxHeld"/>, so that polls never wait for a subscriber (docs/decisions/0118). Not a setting.
    /// </summary>
    public (int Messages, long Bytes) MaxUnsettled => (SharedMessages / 2, SharedBytes / 2);

    /// <summary>
    /// The most that may wait in this server: <see cref="HeldMessages"/> of each queue and <see cref="HeldBytes"/> of all queues together,
    /// but at most a quarter of what may be in flight. Not a setting.
    /// </summary>
    public (int Messages, long Bytes) MaxHeld =>
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

    /// <summary>Not every service has what several servers need to share their work.</summary>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (Nodes.Enabled && Kind != QueueKind.Sqs)
            yield return new ValidationResult(
                $"Servers share their work on Sqs only: leave out Queue:Nodes:Enabled, or Queue:Kind {Kind}.", [nameof(Kind)]);
    }

    // Calls at the same moment may each give one message too many.
    private int SharedMessages => MaxInFlight - Math.Min(64, (MaxInFlight / 10) + 1);

    // One receive must fit as well, and a message may be larger than the memory that was left when it was given.
    private long SharedBytes => MaxInFlightBytes - (2 * InFlightBudget.PerReceive);
}

/// <summary>The services whose queues a server can use.</summary>
internal enum QueueKind
{
    /// <summary>Amazon SQS, or a server that is like it.</summary>
    Sqs,

    /// <summary>Streams of Redis 7.0 or newer.</summary>
    Redis,

    /// <summary>Streams of NATS JetStream 2.9 or newer.</summary>
    Nats,

    /// <summary>Quorum queues of RabbitMQ 3.10 or newer.</summary>
    RabbitMq,
}

/// <summary>SQS takes times in whole seconds: half a second would silently become none.</summary>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class WholeSecondsAttribute() : ValidationAttribute("{0} must be whole seconds.")
{
    public override bool IsValid(object? value) => value is not TimeSpan time || time.Ticks % TimeSpan.TicksPerSecond == 0;
}

/// <summary>How this server shares its work with others, section <c>Queue:Nodes</c>.</summary>
internal sealed class NodeOptions : IValidatableObject
{
    /// <summary>
    /// False: this server is alone with its queue. True: it is one node of all servers that have the same <c>Queue:Name</c>: it has a queue
    /// of its own, and an SNS topic of that name reaches them all.
    /// </summary>
    public bool Enabled { get; set; }

    /// <summary>How often a node announces all its subscriptions, 100 ms to 1 min. Changes are announced at once.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:01:00")]
    public TimeSpan AnnounceEvery { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>
    /// A node is considered dead when nothing was heard from it for this time; others then read its queue. 1 s to 10 min, and at least
    /// three times <see cref="AnnounceEvery"/>.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan DeadAfter { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// A node is certainly dead when nothing was heard from it for this time: it gets no more messages of topics, those in its queue are
    /// dropped, and the queue is deleted once nothing came into it for the same time. A live node has disconnected its topic subscribers
    /// before that. 1 min to 1 h, and at least twice <see cref="DeadAfter"/>. It must be longer than a publish can take to get there.
    /// </summary>
    [Range(typeof(TimeSpan), "00:01:00", "01:00:00")]
    public TimeSpan DeleteAfter { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>The times must fit each other.</summary>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (DeadAfter < 3 * AnnounceEvery)
            yield return new ValidationResult(
                $"DeadAfter is {DeadAfter:c}: it must be at least three times AnnounceEvery, {AnnounceEvery:c}.", [nameof(DeadAfter)]);
        if (DeleteAfter < 2 * DeadAfter)
            yield return new ValidationResult(
                $"DeleteAfter is {DeleteAfter:c}: it must be at least twice DeadAfter, {DeadAfter:c}.", [nameof(DeleteAfter)]);
    }
}

/// <summary>How publishes are gathered into calls, section <c>Queue:Sending</c>.</summary>
internal sealed class SendingOptions
{
    /// <summary>
    /// Publishes that one SQS message may carry, 1 (each has its own) to 1,000, as far as they have 64 KiB together. None waits for others:
    /// those share an SQS message that come while a call is under way. More cost less CPU and fewer calls; but after a kill all that shared
    /// an SQS message with an unsettled message are delivered again, and one that is given back or waits is parted from the others, which
    /// costs a send and a delete.
    /// </summary>
    [Range(1, 1_000)]
    public int Pack { get; set; } = 50;

    /// <summary>Send calls under way at once, 1 to 256.</summary>
    [Range(1, 256)]
    public int MaxCalls { get; set; } = 4;

    /// <summary>
    /// With fewer calls under way a publish leaves at once, however few there are; with more, only full batches leave. 1 to 256. Higher:
    /// less waiting, smaller batches, more calls; a queue that is far away wants more.
    /// </summary>
    [Range(1, 256)]
    public int PartialCalls { get; set; } = 1;

    /// <summary>Publishes that may wait for a call, 1 to 1,000,000; more wait until there is room.</summary>
    [Range(1, 1_000_000)]
    public int MaxWaiting { get; set; } = 10_000;
}

/// <summary>When a message counts as delivered, section <c>Queue:Settle</c>.</summary>
internal sealed class SettleOptions
{
    /// <summary>For subscribers with <c>ack:auto</c>, and for the raw relay: <c>Flush</c> (default) or <c>Receive</c>.</summary>
    public SettleAuto Auto { get; set; } = SettleAuto.Flush;

    /// <summary>
    /// How long a delete waits for others to make a batch of ten, 0 s (it does not) to 1 s. No client waits for a delete, and SQS bills
    /// each call; messages that a killed server had not deleted yet are delivered twice.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:01")]
    public TimeSpan Linger { get; set; } = TimeSpan.FromMilliseconds(10);
}

/// <summary>When a message to a subscriber that acknowledges nothing is settled, and so deleted from the queue.</summary>
internal enum SettleAuto
{
    /// <summary>Once its frame was flushed to the socket: messages that were not flushed when a connection broke come again.</summary>
    Flush,

    /// <summary>
    /// Once it was received and a subscriber has room for it: a connection that breaks loses it, counted as <c>closed</c>.
    /// </summary>
    Receive,
}
