using System.Text.Json;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>Everything that <c>compare</c> says; compare.json is this, and compare.md is written from it.</summary>
public sealed record RunComparison
{
    /// <summary>The version of compare.json.</summary>
    public const int Version = 1;

    public int Compare { get; init; } = Version;

    /// <summary>Why the runs may not be compared, or too few repetitions; not empty only where the user forced it.</summary>
    public required IReadOnlyList<string> Forced { get; init; }

    public required ComparedRun A { get; init; }

    public required ComparedRun B { get; init; }

    public required IReadOnlyList<ComparedTable> Tables { get; init; }

    /// <param name="a">The baseline.</param>
    /// <param name="b">The candidate.</param>
    public static RunComparison Of(RunFolder a, RunFolder b) => new()
    {
        Forced = [.. Comparability.Obstacles(a, b), .. Repetitions.Lacking(a, b)],
        A = ComparedRun.Of(a),
        B = ComparedRun.Of(b),
        Tables = Comparer.Tables(a, b),
    };
}

/// <summary>One arm of two runs in one metric; Holm's correction is over its rows.</summary>
/// <param name="Arm">As the scenario names it.</param>
/// <param name="Metric">What was compared.</param>
/// <param name="Unit">Of the means.</param>
/// <param name="Primary">False: exploratory, p is not corrected and no row has a word.</param>
/// <param name="Margin">As the scenario has it; null: it has none, and nothing is shown to be equivalent.</param>
/// <param name="Rows">One for each level that both runs have.</param>
public sealed record ComparedTable(string Arm, string Metric, string Unit, bool Primary, string? Margin, IReadOnlyList<ComparedRow> Rows);

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

/// <summary>compare.json.</summary>
public static class CompareJson
{
    internal static JsonSerializerOptions Options { get; } = new(JsonText.Options) { Converters = { new ScenarioJson() } };

    public static string Write(RunComparison comparison) => JsonSerializer.Serialize(comparison, Options) + "\n";
}
