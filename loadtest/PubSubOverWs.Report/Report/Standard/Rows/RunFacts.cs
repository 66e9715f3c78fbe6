using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>The part of every report about its run: how complete and valid it is, its gates, and where it was made.</summary>
public sealed record RunFacts(
    Scenario Scenario, Progress Progress, SetUp SetUp, MachineRecord Machine, IReadOnlyList<ValidityCheck> Validity,
    IReadOnlyList<GateResult> Gates)
{
    public bool IsValid => Validity.All(check => check.Holds != false);

    public static RunFacts Of(RunFolder folder) => new(
        folder.Run.Scenario, ProgressOf(folder), folder.Run.SetUp, folder.Run.Machine, Claims.Validity.Check(folder),
        GateCheck.Check(
            folder, Gate.Of(folder.Run.Scenario),
            without: "because a report is made of this folder alone: report DIR --baseline B decides it"));

    private static Progress ProgressOf(RunFolder folder)
    {
        var run = folder.Run;
        var recorded = folder.Rows.Where(row => !row.Superseded).Select(row => (row.Iteration, row.Arm)).ToHashSet();
        var planned = WarmUpRule.Planned(run.Scenario, run.Order, folder.Rows).ToArray();
        var blocks = planned.GroupBy(one => one.Step.Block).ToArray();
        return new Progress(
            run.Label,
            run.Started,
            run.Ended,
            run.Complete,
            run.Resumed,
            planned.Length,
            recorded.Count,
            blocks.Length,
            blocks.Count(block => block.All(one => recorded.Contains((one.Step.Iteration, one.Arm)))),
            folder.Rows.Count(row => row.Superseded));
    }
}

/// <summary>How much of a run was recorded.</summary>
/// <param name="Label">As the user gave it.</param>
/// <param name="Started">UTC.</param>
/// <param name="Ended">UTC; null: it was killed, or is still running.</param>
/// <param name="Complete">False: interrupted.</param>
/// <param name="Resumed">How often it was resumed.</param>
/// <param name="Planned">
/// Rows in the plan: arms times iterations, with floor and warm-up, but without the warm-ups that a steady arm did not need.
/// </param>
/// <param name="Recorded">Rows without superseded ones.</param>
/// <param name="BlocksPlanned">Blocks in the plan.</param>
/// <param name="BlocksWhole">Blocks with all of their rows.</param>
/// <param name="Superseded">Rows of cut blocks that ran again: kept but not used.</param>
public sealed record Progress(
    string? Label, DateTimeOffset Started, DateTimeOffset? Ended, bool Complete, int Resumed, int Planned, int Recorded, int BlocksPlanned,
    int BlocksWhole, int Superseded);
