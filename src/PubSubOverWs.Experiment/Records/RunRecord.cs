using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Experiment.Records;

/// <summary>run.json: what was asked and where. docs/run.schema.json describes the file.</summary>
public sealed record RunRecord
{
    /// <summary>The version of the record this program writes and reads.</summary>
    public const int Version = 1;

    public int Record { get; init; } = Version;

    /// <summary>What the user called this run; part of the folder's name.</summary>
    public string? Label { get; init; }

    /// <summary>UTC; every other time of the record counts from here or from an iteration's start.</summary>
    public required DateTimeOffset Started { get; init; }

    /// <summary>UTC; null while the run goes on, or when it was killed.</summary>
    public DateTimeOffset? Ended { get; init; }

    /// <summary>False: the run was interrupted, or is still going on.</summary>
    public bool Complete { get; init; }

    /// <summary>How often the run was resumed.</summary>
    public int Resumed { get; init; }

    /// <summary>As resolved: every default filled in, every option applied.</summary>
    public required Scenario Scenario { get; init; }

    /// <summary>
    /// As it stood when the run was started. Null, and not written: nothing was predicted, or the record is older than this key.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RegisteredPrediction? Prediction { get; init; }

    public required SetUp SetUp { get; init; }

    public required MachineRecord Machine { get; init; }

    /// <summary>
    /// What the queue was expected to cost, and what was asked of it; null: it costs nothing, and nobody asked what it would.
    /// </summary>
    public QueueBill? Bill { get; init; }

    public RunChecks Checks { get; init; } = new();

    /// <summary>The plan: what runs after what.</summary>
    public required IReadOnlyList<PlannedIteration> Order { get; init; }
}

/// <summary>The checks only the runner can make while it runs; the others are made from the rows. True: nothing was found.</summary>
/// <param name="ClockMonotonic">No reading of the clock was before the one before it.</param>
/// <param name="QueueAlive">The queue's process lived all along; null: the run did not start one.</param>
/// <param name="ServersAlive">No server that the run started ended by itself.</param>
public sealed record RunChecks(bool ClockMonotonic = true, bool? QueueAlive = null, bool ServersAlive = true);
