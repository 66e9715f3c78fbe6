namespace PubSubOverWs.Record.Scenarios;

/// <summary>
/// How the servers of an arm are started in each block, as data: the load runner knows neither the experiment nor the fault.
/// </summary>
public sealed record ServerSetUp
{
    /// <summary>One server, as it is by default.</summary>
    public static ServerSetUp Default { get; } = new();

    /// <summary>How many servers share the work of the arm: 1 or more.</summary>
    public int Servers { get; init; } = 1;

    /// <summary>The folder of another build of the program, whose servers these are; null: they are of this build.</summary>
    public string? Programs { get; init; }

    /// <summary>Settings of each, by the key of its configuration.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();

    /// <summary>Variables in the environment of each.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// How many connections of each user go through a proxy before the server: 0; 1, the subscriber's; 2, the publisher's as well.
    /// </summary>
    public int ProxiedConnections { get; init; }

    /// <summary>The simulated distance of the queue, if the run starts it.</summary>
    public QueueLatency QueueLatency { get; init; }

    /// <summary>Arms of a target that have the same name here share their servers; null: an arm has servers of its own.</summary>
    public string? SharedAs { get; init; }

    /// <summary>The name of the servers of an arm; arms with the same name share them.</summary>
    public string NameFor(Arm arm) => SharedAs ?? arm.Name;

    /// <summary>
    /// True: the servers reach their queue, which the run starts, through a proxy; of several that share the work the first alone, and its
    /// topics through another.
    /// </summary>
    public bool ProxiesQueue { get; init; }
}

/// <summary>External actions while a trial runs.</summary>
/// <param name="Network">The conditions of connections through a proxy.</param>
/// <param name="Actions">In order; one ends before the next begins.</param>
/// <param name="Lasts">From the first due: then everything is taken back, in every arm after the same time.</param>
public sealed record TrialPlan(NetworkConditions Network, IReadOnlyList<FaultAction> Actions, TimeSpan Lasts);

/// <summary>
/// The simulated distance of the embedded queue: its answers are delayed by a lognormal time. The figures of such a run are labelled
/// "simulated distance" everywhere.
/// </summary>
/// <param name="P50">The median; zero: no delay.</param>
/// <param name="P99">The 99th percentile, at least <paramref name="P50"/>.</param>
public readonly record struct QueueLatency(TimeSpan P50, TimeSpan P99)
{
    public static QueueLatency None => default;

    /// <summary>From producer to consumer within a region of AWS, as published in 2022: docs/reference/sqs.md.</summary>
    public static QueueLatency Aws { get; } = new(TimeSpan.FromMilliseconds(16), TimeSpan.FromMilliseconds(105));

    public bool IsSimulated => P50 > TimeSpan.Zero;

    /// <summary>Reads <c>none</c>, <c>aws</c> or two times such as <c>20ms,80ms</c>.</summary>
    /// <exception cref="ScenarioException">It is none of these.</exception>
    public static QueueLatency Parse(string text)
    {
        if (text == "none")
            return None;
        if (text == "aws")
            return Aws;
        if (text.Split(',') is [var first, var second])
        {
            var latency = new QueueLatency(Duration.Parse(first.Trim()), Duration.Parse(second.Trim()));
            if (latency.P50 > TimeSpan.Zero && latency.P50 <= latency.P99 && latency.P50 <= TimeSpan.FromSeconds(10)
                && latency.P99 <= TimeSpan.FromMinutes(1))
                return latency;
        }
        throw new ScenarioException(
            $"The queue latency '{text}' is not known: write none, aws, or the median (above 0, at most 10s) and the 99th percentile (at "
                + "least that, at most 60s), such as 20ms,80ms.");
    }

    public override string ToString() => !IsSimulated ? "none" : this == Aws ? "aws" : $"{Duration.Text(P50)},{Duration.Text(P99)}";
}

/// <summary>One fault action on the time line of an iteration.</summary>
/// <param name="At">From the first due.</param>
/// <param name="For">How long: until the port is open, or the way is free, again.</param>
public readonly record struct FaultAction(TimeSpan At, FaultActionKind Kind, TimeSpan For)
{
    /// <summary>The measure of an action on a node; null for one on all servers.</summary>
    public static Measure ReadyAgain { get; } = new("readyAgain", "s", "time from the end of the fault until the node was ready again");

    /// <summary>True: it is done to the queue; false: to the servers under test.</summary>
    public bool IsOfQueue => Kind is FaultActionKind.QueueRefuses or FaultActionKind.QueueStalls
        or FaultActionKind.KillQueue or FaultActionKind.CutPower;

    /// <summary>True: it is done to the first of several servers that share the work, or to what it reaches the others through.</summary>
    public bool IsOfNode => Kind >= FaultActionKind.KillNode;
}

/// <summary>An action at a moment of an iteration.</summary>
public enum FaultActionKind
{
    /// <summary>SIGKILL to the server under test.</summary>
    KillServer,

    /// <summary>SIGTERM to the server under test.</summary>
    StopServer,

    /// <summary>Connections to the queue are refused.</summary>
    QueueRefuses,

    /// <summary>Nothing passes to the queue or from it.</summary>
    QueueStalls,

    /// <summary>SIGKILL to the queue.</summary>
    KillQueue,

    /// <summary>SIGKILL to queue and servers, and the queue goes on with what was on its disk.</summary>
    CutPower,

    // Actions on one of several servers come last.

    /// <summary>SIGKILL to the first of the servers that share the work; it is started again when the time is over.</summary>
    KillNode,

    /// <summary>SIGSTOP to it, and SIGCONT when the time is over.</summary>
    PauseNode,

    /// <summary>Nothing passes between it and the topics.</summary>
    TopicsStall,

    /// <summary>Nothing passes between it and the queues.</summary>
    NodeQueueStalls,

    /// <summary>Its requests do not reach the queues.</summary>
    QueueRequestsStall,

    /// <summary>Its requests reach the queues, and the answers do not reach it.</summary>
    QueueAnswersStall,
}

/// <summary>
/// Network conditions during an iteration, the same in both directions unless one says otherwise. A condition applies if its first value
/// is set; docs/reference/faults.md has the ranges.
/// </summary>
public sealed record NetworkConditions
{
    /// <summary>Bytes pass as they come.</summary>
    public static NetworkConditions Undisturbed { get; } = new();

    /// <summary>The delay of bytes, which stay in order.</summary>
    public TimeSpan? Latency { get; init; }

    /// <summary>The latency of each chunk is uniform from <see cref="Latency"/> - Jitter to <see cref="Latency"/> + Jitter.</summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>
    /// The latency of each chunk is lognormal with the mean <see cref="Latency"/> and this standard deviation; 0: see
    /// <see cref="Jitter"/>.
    /// </summary>
    public TimeSpan LatencyDeviation { get; init; }

    /// <summary>Of a connection, each direction for itself.</summary>
    public long? BytesPerSecond { get; init; }

    /// <summary>The mean size of the slices that bytes come in.</summary>
    public int? SliceBytes { get; init; }

    /// <summary>The time from the beginning of one stall of a connection to that of the next.</summary>
    public TimeSpan? StallEvery { get; init; }

    public TimeSpan StallFor { get; init; }

    /// <summary>True: only bytes to the server are stalled.</summary>
    public bool StallsUplinkOnly { get; init; }

    /// <summary>The probability that a chunk comes later by <see cref="ResentAfter"/>, as if it had been lost: 0 to 1.</summary>
    public double LostShare { get; init; }

    /// <summary>The retransmission time-out of what is lost.</summary>
    public TimeSpan ResentAfter { get; init; }

    /// <summary>The time from the opening of a connection to its reset, uniform within <see cref="ResetJitter"/>.</summary>
    public TimeSpan? ResetAfter { get; init; }

    public TimeSpan ResetJitter { get; init; }

    /// <summary>The probability that a connection is reset: 0 to 1.</summary>
    public double ResetShare { get; init; } = 1;

    /// <summary>The life time of every connection; of one that is open at the beginning, a uniform part of it.</summary>
    public TimeSpan? CutEvery { get; init; }
}
