using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>
/// What the report of any experiment says of its run: how much of it there is, whether it may be believed, and where it was made.
/// </summary>
public sealed record RunFacts(
    Scenario Scenario, Progress Progress, SetUp SetUp, MachineRecord Machine, IReadOnlyList<ValidityCheck> Validity,
    IReadOnlyList<GateResult> Gates)
{
    public bool IsValid => Validity.All(check => check.Holds != false);

    public static RunFacts Of(RunFolder folder) => new(
        folder.Run.Scenario, ProgressOf(folder), folder.Run.SetUp, folder.Run.Machine, Claims.Validity.Check(folder),
        GateCheck.Check(
            folder, Gate.Of(folder.Run.Scenario),
            without: "for a report is made of this folder alone: report DIR --baseline B decides it"));

    private static Progress ProgressOf(RunFolder folder)
    {
        var run = folder.Run;
        var recorded = folder.Rows.Where(row => !row.Superseded).Select(row => (row.Iteration, row.Arm)).ToHashSet();
        var blocks = run.Order.GroupBy(step => step.Block).ToArray();
        return new Progress(
            run.Label,
            run.Started,
            run.Ended,
            run.Complete,
            run.Resumed,
            run.Order.Sum(step => step.Arms.Count),
            recorded.Count,
            blocks.Length,
            blocks.Count(block => block.All(step => step.Arms.All(arm => recorded.Contains((step.Iteration, arm))))),
            folder.Rows.Count(row => row.Superseded));
    }
}
