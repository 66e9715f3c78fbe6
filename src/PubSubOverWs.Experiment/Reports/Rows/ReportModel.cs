using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Published;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>Everything a report says, made from a record folder; report.json is this, and report.md is written from it.</summary>
public sealed record ReportModel
{
    /// <summary>The version of report.json.</summary>
    public const int Version = 2;

    public int Report { get; init; } = Version;

    /// <summary>What was found, a sentence each; the first ones say what the run is not.</summary>
    public required IReadOnlyList<string> Findings { get; init; }

    /// <summary>H1a, H1b, H2, H3, H3'; none in an A/A run, and none where something was broken.</summary>
    public required IReadOnlyList<HypothesisVerdict> Hypotheses { get; init; }

    /// <summary>Null: not measured, and so the best verdict is "direction only".</summary>
    public required NoiseFloor? NoiseFloor { get; init; }

    /// <summary>Null, and not written: this is no A/A run.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SelfComparison? AgainstItself { get; init; }

    /// <summary>By level. Null, and not written: no ratio is judged, because something was broken.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<Resolution>? Resolved { get; init; }

    /// <summary>Null, and not written: nothing was broken, and nothing could have been.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public FaultFound? Fault { get; init; }

    public required Progress Progress { get; init; }

    /// <summary>Table I, percent.</summary>
    public required MetricTable Loss { get; init; }

    /// <summary>Table II, messages per iteration.</summary>
    public required MetricTable LostMessages { get; init; }

    /// <summary>Table III, ms.</summary>
    public required MetricTable Latency { get; init; }

    /// <summary>H3', and not in the paper: bytes to clients per delivered message.</summary>
    public required MetricTable Bytes { get; init; }

    /// <summary>Table IV as printed, Kbps over the deadline: H3 as published; shown only.</summary>
    public required MetricTable KbpsOverDeadline { get; init; }

    /// <summary>Kbps over each arm's own duration; shown only.</summary>
    public required MetricTable KbpsOverBurst { get; init; }

    public required IReadOnlyList<LossRow> Losses { get; init; }

    /// <summary>What happened beside the starting and stopping of processes.</summary>
    public required IReadOnlyList<EventRow> Events { get; init; }

    public required IReadOnlyList<LatencyRow> LatencyShapes { get; init; }

    public required IReadOnlyList<FloorRow> Floor { get; init; }

    /// <summary>R of mean latencies without the floor of the set-up; none where there is no floor.</summary>
    public required IReadOnlyList<WithoutFloor> WithoutFloor { get; init; }

    public required IReadOnlyList<EgressRow> Egress { get; init; }

    public required IReadOnlyList<LoadRow> Load { get; init; }

    public required IReadOnlyList<ValidityCheck> Validity { get; init; }

    public required IReadOnlyList<GateResult> Gates { get; init; }

    public required RelayScenario Scenario { get; init; }

    public required SetUp SetUp { get; init; }

    /// <summary>Null, and not written: nobody asked what the queue costs.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public QueueBill? Bill { get; init; }

    public required MachineRecord Machine { get; init; }

    /// <summary>The published p-values held against the printed means.</summary>
    public required IReadOnlyList<PaperCheck> Paper { get; init; }

    /// <summary>How large the published differences are: their ratios stand beside the measured ones.</summary>
    public required IReadOnlyList<PaperEffect> PaperEffects { get; init; }

    public required string Citation { get; init; }

    /// <summary>What figures are drawn from beside the tables.</summary>
    public required FigurePoints Points { get; init; }

    /// <summary>The arms, by their names in <see cref="Scenario"/>.</summary>
    [JsonIgnore]
    public Contrast Compared => Scenario.Compared;

    /// <summary>False: a validity check is broken.</summary>
    public bool Valid => Facts.IsValid;

    /// <summary>What the report of any experiment says of its run.</summary>
    [JsonIgnore]
    public RunFacts Facts => new(Scenario, Progress, SetUp, Machine, Validity, Gates);
}

/// <summary>What this many iterations and blocks can tell apart at one level, with the scatter that they had.</summary>
/// <param name="Users">The level.</param>
/// <param name="Latency">Half the width of the 95 % interval of R of mean latencies, of the unit that is judged. Null: there is no
/// interval.</param>
/// <param name="Detectable">The smallest |R - 1| that the test tells from none four times in five, before Holm's correction. Null: nothing
/// was tested, or nothing scattered.</param>
public sealed record Resolution(int Users, double? Latency, double? Detectable);

/// <summary>The latency of a null echo at one level, in ms: what the set-up itself costs.</summary>
/// <param name="Users">The level.</param>
/// <param name="Iterations">One per block.</param>
/// <param name="Mean">Over iterations.</param>
/// <param name="Lowest">The lowest mean of an iteration.</param>
/// <param name="Highest">The highest mean of an iteration.</param>
public sealed record FloorRow(int Users, int Iterations, double? Mean, double? Lowest, double? Highest);

/// <summary>What was asked of one arm at one level, what came of it, and what it cost.</summary>
/// <param name="Arm">direct, pubsub or floor.</param>
/// <param name="Users">The level.</param>
/// <param name="Connected">The share of users that were connected and subscribed when the load began.</param>
/// <param name="ConnectMs">Mean over iterations, until all were.</param>
/// <param name="AskedPerSecond">Messages per second; null: all at once.</param>
/// <param name="ReachedPerSecond">All that was delivered, over the sum of <c>burstUs</c>: a ratio of sums, so that short bursts weigh no
/// more than long ones.</param>
/// <param name="LagP99Ms">The worst iteration's 99th percentile of sent - due.</param>
/// <param name="LoadCoreShare">The worst iteration's busy share of the core that carries the load.</param>
/// <param name="ServerCpuUs">Per delivered message.</param>
/// <param name="QueueCpuUs">Per delivered message.</param>
/// <param name="LoadCpuUs">Per delivered message.</param>
/// <param name="IdleCpuMs">Of the servers that were not under test, mean per iteration.</param>
public sealed record LoadRow(
    string Arm,
    int Users,
    double? Connected,
    double? ConnectMs,
    double? AskedPerSecond,
    double? ReachedPerSecond,
    double? LagP99Ms,
    double? LoadCoreShare,
    double? ServerCpuUs,
    double? QueueCpuUs,
    double? LoadCpuUs,
    double? IdleCpuMs);
