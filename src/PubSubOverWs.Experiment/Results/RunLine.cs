using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Compare;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports;
using PubSubOverWs.Experiment.Reports.Sections;

namespace PubSubOverWs.Experiment.Results;

/// <summary>A record in one line, for a list of them.</summary>
public static class RunLine
{
    /// <summary>
    /// Such as <c>paper (burst): complete, valid; direct, pubsub; n 30 in 5 blocks at 6 levels; Nothing was lost: direct 0 of ...</c>
    /// </summary>
    public static string Of(RunFolder folder)
    {
        var run = folder.Run;
        var label = run.Label is { } name ? $" ({name})" : "";
        var state = $"{(run.Complete ? "complete" : "INCOMPLETE")}, {(Validity.IsValid(folder) ? "valid" : "INVALID")}";
        return $"{run.Scenario.Name}{label}: {state}; {string.Join(", ", run.Scenario.Arms)}; {Size(folder)}; {Found(folder)}";
    }

    // Not a whole report: a list of many records must not take minutes.
    private static string Found(RunFolder folder) =>
        NoiseFloors.FoundBy(folder) is { } itself ? NoiseSection.Sentence(itself) : Findings.Loss(ReportBuilder.Losses(folder));

    private static string Size(RunFolder folder)
    {
        var scenario = folder.Run.Scenario;
        var counts = from arm in scenario.Arms from users in scenario.Levels select (double)ArmLevel.Of(folder, arm.Name, users).Rows.Count;
        return $"n {Format.Span(counts, n => Format.Fixed(n, 0))} in {Format.Count(scenario.Blocks, "block")} at "
            + $"{Format.Count(scenario.Levels.Count, "level")}";
    }
}
