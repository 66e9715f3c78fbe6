using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>
/// One of the runs that are compared, by what tells it from the other. No path: the same folders give the same bytes anywhere.
/// </summary>
public sealed record ComparedRun
{
    public required string? Label { get; init; }

    /// <summary>UTC.</summary>
    public required DateTimeOffset Started { get; init; }

    public required bool Complete { get; init; }

    public required bool Valid { get; init; }

    public required Scenario Scenario { get; init; }

    public required SetUp SetUp { get; init; }

    public required MachineRecord Machine { get; init; }

    public static ComparedRun Of(RunFolder folder) => new()
    {
        Label = folder.Run.Label,
        Started = folder.Run.Started,
        Complete = folder.Run.Complete,
        Valid = Validity.IsValid(folder),
        Scenario = folder.Run.Scenario,
        SetUp = folder.Run.SetUp,
        Machine = folder.Run.Machine,
    };
}
