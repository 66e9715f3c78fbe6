using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>Everything a report says, made from a record folder; report.json is this, and report.md is written from it.</summary>
public sealed record PaperModel
{
    /// <summary>The version of report.json.</summary>
    public const int Version = 3;

    public int Report { get; init; } = Version;

    /// <summary>The findings, a sentence each; the first ones say what the run is not.</summary>
    public required IReadOnlyList<string> Findings { get; init; }

    /// <summary>H1a, H1b, H2, H3, H3'; none in an A/A run, and none where something was broken.</summary>
    public required IReadOnlyList<HypothesisVerdict> Hypotheses { get; init; }

    /// <summary>Null: not measured, and so the best verdict is "direction only".</summary>
    public required NoiseFloor? NoiseFloor { get; init; }

    /// <summary>Null, and not written: this is no A/A run.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SelfComparison? AgainstItself { get; init; }

    /// <summary>The arms at the levels where they still changed while they were measured.</summary>
    public required IReadOnlyList<Halves> Changing { get; init; }

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

    /// <summary>Events other than the starting and stopping of processes.</summary>
    public required IReadOnlyList<EventRow> Events { get; init; }

    public required IReadOnlyList<LatencyRow> LatencyShapes { get; init; }

    public required IReadOnlyList<FloorRow> Floor { get; init; }

    public required IReadOnlyList<EgressRow> Egress { get; init; }

    public required IReadOnlyList<LoadRow> Load { get; init; }

    public required IReadOnlyList<ValidityCheck> Validity { get; init; }

    public required IReadOnlyList<GateResult> Gates { get; init; }

    public required OneWayScenario Scenario { get; init; }

    public required SetUp SetUp { get; init; }

    /// <summary>Null, and not written: the queue is free, or no cost was requested.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public QueueBill? Bill { get; init; }

    public required MachineRecord Machine { get; init; }

    /// <summary>The published p-values held against the printed means.</summary>
    public required IReadOnlyList<PaperCheck> Paper { get; init; }

    /// <summary>How large the published differences are: their ratios stand beside the measured ones.</summary>
    public required IReadOnlyList<PaperEffect> PaperEffects { get; init; }

    public required string Citation { get; init; }

    /// <summary>The points of figures.</summary>
    public required FigurePoints Points { get; init; }

    /// <summary>The arms, by their names in <see cref="Scenario"/>.</summary>
    [JsonIgnore]
    public Contrast Compared => Scenario.Compared;

    /// <summary>False: a validity check is broken.</summary>
    public bool Valid => Facts.IsValid;

    /// <summary>The part that the report of any experiment has.</summary>
    [JsonIgnore]
    public RunFacts Facts => new(Scenario, Progress, SetUp, Machine, Validity, Gates);
}

/// <summary>One metric at every level: published beside measured.</summary>
/// <param name="Title">As the paper's table.</param>
/// <param name="Unit">Of every mean in it.</param>
/// <param name="Judged">False: shown only.</param>
/// <param name="Rows">In the order of the scenario's levels.</param>
public sealed record MetricTable(string Title, string Unit, bool Judged, IReadOnlyList<MetricRow> Rows);

/// <summary>One level of a metric.</summary>
/// <param name="Published">Null: not published.</param>
/// <param name="PublishedLoss">As the paper's Table I prints it; null outside of it.</param>
/// <param name="Verdicts">By hypothesis; empty where the row is shown only.</param>
public sealed record MetricRow(
    Comparison Measured, PublishedRow? Published, PublishedLoss? PublishedLoss, IReadOnlyDictionary<string, RowVerdict> Verdicts);
