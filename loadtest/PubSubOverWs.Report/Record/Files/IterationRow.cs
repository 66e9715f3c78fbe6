using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Record.Files;

/// <summary>One arm in one iteration: one row of iterations.csv.</summary>
public sealed record IterationRow
{
    private static readonly FlowRows Unknown = new(new FlowRow { Flow = Flow.Message(Arrival.Burst) });

    private static readonly IReadOnlyDictionary<string, double?> NoMeasures = new Dictionary<string, double?>();

    /// <summary>Of the scenario, or the floor.</summary>
    public required string Arm { get; init; }

    public required Level Level { get; init; }

    /// <summary>The level, where the only factor is the number of users.</summary>
    public int Users => Level.Number;

    /// <summary>From 1. Servers and queue are started afresh for each block.</summary>
    public required int Block { get; init; }

    /// <summary>Unique over the whole run, from 1; the arms of a pair share it.</summary>
    public required int Iteration { get; init; }

    /// <summary>The place of this row in the run, from 1: the order in which the arms really ran.</summary>
    public required int Order { get; init; }

    /// <summary>Recorded, and left out of every judgement.</summary>
    public bool WarmUp { get; init; }

    /// <summary>Its block was cut and run again: kept, and left out of everything.</summary>
    public bool Superseded { get; init; }

    /// <summary>From the start of the run.</summary>
    public required TimeSpan Start { get; init; }

    /// <summary>Until all users were connected and subscribed, or had failed.</summary>
    public required TimeSpan Connect { get; init; }

    /// <summary>From the first due until the runner has seen the last arrival, or that the deadline is over.</summary>
    public required TimeSpan Burst { get; init; }

    /// <summary>How long the proof took.</summary>
    public required TimeSpan Drain { get; init; }

    public required DrainState DrainState { get; init; }

    /// <summary>Users whose connection was up and subscribed when the burst began.</summary>
    public required int Connections { get; init; }

    /// <summary>The flows, in the order of the scenario.</summary>
    public FlowRows Flows { get; init; } = Unknown;

    /// <summary>The largest of the judged flows. Setting this or the next three properties sets those of the only flow.</summary>
    public TimeSpan? ScheduleLagP99
    {
        get => Flows.Sum(flow => flow.ScheduleLagP99, (one, other) => one > other || other is null ? one : other);
        init => Flows = Flows.With(flow => flow with { ScheduleLagP99 = value });
    }

    /// <summary>Of all flows that are judged.</summary>
    public long LateSends
    {
        get => Flows.Sum(flow => flow.LateSends, (one, other) => one + other);
        init => Flows = Flows.With(flow => flow with { LateSends = value });
    }

    /// <summary>Of all flows that are judged.</summary>
    public Buckets Buckets
    {
        get => Flows.Sum(flow => flow.Buckets, (one, other) => one.Add(other));
        init => Flows = Flows.With(flow => flow with { Buckets = value });
    }

    /// <summary>Of all flows that are judged.</summary>
    public Anomalies Anomalies
    {
        get => Flows.Sum(flow => flow.Anomalies, (one, other) => one.Add(other));
        init => Flows = Flows.With(flow => flow with { Anomalies = value });
    }

    /// <summary>Null: the server did not report it before the burst or after the drain.</summary>
    public ServerDrops? Drops { get; init; }

    /// <summary>Null: the server did not report it before the burst or after the drain.</summary>
    public ClientBytes? ClientBytes { get; init; }

    /// <summary>Null: the server did not report it before the burst or after the drain.</summary>
    public QueueTraffic? Queue { get; init; }

    public CpuTimes Cpu { get; init; }

    /// <summary>Garbage collections of the load runner during the burst: pauses that the latencies contain.</summary>
    public int Collections { get; init; }

    /// <summary>Of the first flow that is judged.</summary>
    public LatencySummary FromDue
    {
        get => Flows.FirstJudged.FromDue;
        init => Flows = Flows.With(flow => flow with { FromDue = value });
    }

    /// <summary>Of the first flow that is judged.</summary>
    public LatencySummary FromSent
    {
        get => Flows.FirstJudged.FromSent;
        init => Flows = Flows.With(flow => flow with { FromSent = value });
    }

    /// <summary>
    /// The latency that is judged, of the first flow that is: received - sent in a burst, received - due in open-loop work.
    /// </summary>
    public LatencySummary Latency => Flows.FirstJudged.Latency;

    /// <summary>The measures of its experiment, by name, in measures.csv; null: this trial has no such value.</summary>
    public IReadOnlyDictionary<string, double?> Measures { get; init; } = NoMeasures;

    /// <summary>True: the row is judged.</summary>
    public bool Counts => !WarmUp && !Superseded;

    /// <summary>The row with one of its flows, as if it were the only one.</summary>
    public IterationRow Only(string flow) => this with { Flows = Flows.Only(flow) };
}

/// <summary>CPU time (user and system) that each process took from just before the burst until its last message. Null: not known.</summary>
/// <param name="Server">The server under test (arm floor: the null echo).</param>
/// <param name="Queue">The queue, where it is a process of this run.</param>
/// <param name="Idle">The servers that are not under test in this iteration, together: what they took from the others.</param>
public readonly record struct CpuTimes(TimeSpan? Server, TimeSpan? Queue, TimeSpan? Load, TimeSpan? Idle);

/// <summary>Whether the queue was shown to be empty before the next arm started.</summary>
public enum DrainState
{
    /// <summary>Three counts of zero in a row and nothing held; also every arm without a queue.</summary>
    Proven,

    /// <summary>The queue's counts could not be asked for.</summary>
    NotProven,

    /// <summary>Something was still there when the time was up.</summary>
    Failed,
}

/// <summary>
/// One row of events.csv: a process started, stopped or died, users failed, a queue was not empty, a server did not tell its counts.
/// </summary>
/// <param name="At">From the start of the run.</param>
/// <param name="Kind">For example <c>started</c>, <c>stopped</c>, <c>died</c>, <c>failure</c>.</param>
/// <param name="Detail">For example the process id and the address, or an HTTP status and how often.</param>
public sealed record EventRow(TimeSpan At, string Kind, string Target, string Detail)
{
    /// <summary>What users of an iteration saw fail.</summary>
    public const string Failure = "failure";

    private static readonly string[] FaultActions = [.. Enum.GetValues<FaultActionKind>().Select(kind => $"fault-{Kebab.Text(kind)}")];

    /// <summary>A moment of the scenario's time line, which begins or is over: <c>fault-kill-server</c> and its like.</summary>
    [JsonIgnore]
    public bool IsFaultAction => FaultActions.Contains(Kind);

    /// <summary>True: part of the scenario's fault.</summary>
    [JsonIgnore]
    public bool IsOrdered => IsFaultAction || Kind == "fault-toxics";

    /// <summary>True: part of every run; reports show only the others.</summary>
    public bool IsRoutine => Kind is "started" or "stopped" or "queue-deleted";
}

internal static class EventCsv
{
    public static readonly IReadOnlyList<string> Header = ["atUs", "kind", "target", "detail"];

    public static string Line(EventRow row) => Csv.Line([Csv.Text(row.At), row.Kind, row.Target, row.Detail]);

    public static EventRow Parse(CsvRow row) => new(row.Time("atUs"), row.Text("kind"), row.Text("target"), row.Text("detail"));
}
