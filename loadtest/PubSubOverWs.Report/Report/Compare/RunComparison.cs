using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Compare;

/// <summary>The result of <c>compare</c>, as compare.json has it; compare.md is written from it.</summary>
public sealed record RunComparison
{
    /// <summary>The version of compare.json.</summary>
    public int Compare { get; init; } = 1;

    /// <summary>Why the runs should not be compared; not empty only where the user forced it.</summary>
    public required IReadOnlyList<string> Forced { get; init; }

    public required ComparedRun A { get; init; }

    public required ComparedRun B { get; init; }

    public required IReadOnlyList<ComparedTable> Tables { get; init; }

    /// <param name="a">The baseline.</param>
    /// <param name="b">The candidate.</param>
    public static RunComparison Of(RunFolder a, RunFolder b) => new()
    {
        Forced = [.. Comparability.ObstaclesAtCommonLevels(a, b), .. Repetitions.Lacking(a, b)],
        A = ComparedRun.Of(a),
        B = ComparedRun.Of(b),
        Tables = Comparer.Tables(a, b),
    };
}

/// <summary>One arm of two runs in one metric; Holm's correction is over its rows.</summary>
/// <param name="Arm">As the scenario names it.</param>
/// <param name="Metric">As tables name it.</param>
/// <param name="Unit">Of the means.</param>
/// <param name="Primary">False: exploratory, so that p is not corrected and no row has a word.</param>
/// <param name="Margin">As the scenario has it; null: it has none, and nothing is shown to be equivalent.</param>
/// <param name="Rows">One for each level of both runs.</param>
public sealed record ComparedTable(string Arm, string Metric, string Unit, bool Primary, string? Margin, IReadOnlyList<ComparedRow> Rows);

/// <summary>One of the compared runs. It has no path: the same folders give the same bytes anywhere.</summary>
/// <param name="Started">UTC.</param>
public sealed record ComparedRun(
    string? Label, DateTimeOffset Started, bool Complete, bool Valid, Scenario Scenario, SetUp SetUp, MachineRecord Machine)
{
    public static ComparedRun Of(RunFolder folder) => new(
        folder.Run.Label, folder.Run.Started, folder.Run.Complete, Validity.IsValid(folder), folder.Run.Scenario, folder.Run.SetUp,
        folder.Run.Machine);
}

/// <summary>compare.json.</summary>
public static class CompareJson
{
    internal static JsonSerializerOptions Options { get; } = new(JsonText.Options) { Converters = { new ScenarioJson() } };

    public static string Write(RunComparison comparison) => JsonSerializer.Serialize(comparison, Options) + "\n";
}
