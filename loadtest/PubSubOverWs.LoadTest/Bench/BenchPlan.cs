using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The kinds of measurement, their size and their length.</summary>
public sealed record BenchPlan
{
    public IReadOnlyList<BenchKind> Kinds { get; init; } = [BenchKind.Relay, BenchKind.PubSub, BenchKind.Queue, BenchKind.Idle];

    /// <summary>
    /// Null: <see cref="SaturatingConnections"/>, <see cref="IdleConnections"/> and <see cref="IdlePolls"/> have their own defaults.
    /// </summary>
    public int? Connections { get; init; }

    public int SaturatingConnections => Connections ?? 100;

    public int IdleConnections => Connections ?? 10_000;

    /// <summary>Messages that each connection keeps under way.</summary>
    public int Depth { get; init; } = 8;

    /// <summary>Bytes of a message's body.</summary>
    public int PayloadBytes { get; init; } = 100;

    /// <summary>Publishes that the pubsub server may put into one SQS message.</summary>
    public int Pack { get; init; } = 1;

    /// <summary>Messages that go into the queue and out again in one leg of <see cref="BenchKind.Queue"/>, a multiple of ten.</summary>
    public int QueueMessages { get; init; } = 100_000;

    /// <summary>Messages of 100 bytes that lie in the queue at once while its memory is read.</summary>
    public long QueuedMessages => 10L * QueueMessages;

    /// <summary>Long polls that wait for nothing, as long as a leg.</summary>
    public int IdlePolls => Connections ?? 1_000;

    /// <summary>Null: <see cref="PacedRate"/> and <see cref="WellBehavedRate"/> have their own defaults.</summary>
    public int? Rate { get; init; }

    /// <summary>Messages a second that go through the queue when its latency is measured.</summary>
    public int PacedRate => Rate ?? 2_000;

    /// <summary>Connections that behave well, of <see cref="BenchKind.Misbehaving"/>.</summary>
    public int WellBehaved => Connections ?? 200;

    /// <summary>Messages a second that all of them together send.</summary>
    public int WellBehavedRate => Rate ?? 500;

    /// <summary>Connections beside them that misbehave, of each kind.</summary>
    public int Misbehaving { get; init; } = 20;

    /// <summary>Their behaviours, one after the other.</summary>
    public IReadOnlyList<Misbehaviour> Misbehaviours { get; init; } = Enum.GetValues<Misbehaviour>();

    /// <summary>
    /// By what the pubsub server calls its queue, or the one client that <see cref="BenchKind.Queue"/> measures. Null: the servers'
    /// default, and both.
    /// </summary>
    public SqsClientKind? SqsClient { get; init; }

    /// <summary>Another queue server, which takes any key; null: LocalSqs is measured alone.</summary>
    public Uri? Beside { get; init; }

    /// <summary>How long one leg is measured, after its warm-up.</summary>
    public TimeSpan Leg { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Legs of each server, in turn.</summary>
    public int Pairs { get; init; } = 5;

    /// <summary>One server of the pairs alone, for a profile; null: both.</summary>
    public BenchSide? Only { get; init; }

    /// <summary>How the direct and the pubsub server serve WebSockets: the value of their setting <c>Relay:FrontEnd</c>.</summary>
    public string FrontEnd { get; init; } = "framework";

    /// <summary>Where the figures go as JSON; null: nowhere.</summary>
    [JsonIgnore]
    public string? Out { get; init; }
}

/// <summary>The kinds of measurement.</summary>
public enum BenchKind
{
    /// <summary>CPU per message of the direct server beside a bare echo.</summary>
    Relay,

    /// <summary>Messages a second through the pubsub server and its queue.</summary>
    PubSub,

    /// <summary>The embedded queue by itself, beside another queue server where one is named.</summary>
    Queue,

    /// <summary>Memory of an idle connection, and how fast connections come, beside a bare echo.</summary>
    Idle,

    /// <summary>Loss, latency and memory of clients that behave well, beside others that do not. Not measured unless it is named.</summary>
    Misbehaving,
}

/// <summary>The two servers of a pair.</summary>
public enum BenchSide
{
    Direct,
    Echo,
}
