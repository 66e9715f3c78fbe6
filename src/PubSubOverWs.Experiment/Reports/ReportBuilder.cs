using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Published;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Reports.Sections;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>Makes the model of a report from what a record folder says.</summary>
internal static class ReportBuilder
{
    public static ReportModel Build(RunFolder folder)
    {
        var paper = Paper.Load();
        var validity = Validity.Check(folder);
        var isValid = validity.All(check => check.Holds != false);
        var tables = new TableBuilder(folder, paper, isValid);
        var model = new ReportModel
        {
            Findings = [],
            Hypotheses = tables.Hypotheses(),
            NoiseFloor = folder.Noise,
            AgainstItself = tables.AgainstItself,
            Resolved = tables.Resolved,
            Fault = FaultBuilder.Of(folder, isValid),
            Progress = ProgressOf(folder),
            Loss = tables.Loss,
            LostMessages = tables.LostMessages,
            Latency = tables.Latency,
            Bytes = tables.Bytes,
            KbpsOverDeadline = tables.KbpsOverDeadline,
            KbpsOverBurst = tables.KbpsOverBurst,
            Losses = Losses(folder),
            Events = [.. folder.Events.Where(one => !one.IsRoutine)],
            LatencyShapes = Levels(
                folder, level => DetailBuilder.LatencyShape(folder.Run.Scenario, level) with { Curve = CurveBuilder.Of(folder, level) }),
            Floor = [.. folder.Run.Scenario.Levels.Select(users => ArmLevel.Of(folder, Arm.Floor.Name, users))
                .Where(level => level.Rows.Count > 0).Select(level => DetailBuilder.Floor(folder.Run.Scenario, level))],
            WithoutFloor = WithoutFloor.All(folder),
            Egress = Levels(folder, DetailBuilder.Egress),
            Load = Levels(folder, level => DetailBuilder.Load(folder.Run, level)),
            Validity = validity,
            Gates = GateCheck.Check(
                folder, Gate.Of(folder.Run.Scenario),
                without: "for a report is made of this folder alone: report DIR --baseline B decides it"),
            Scenario = (RelayScenario)folder.Run.Scenario,
            SetUp = folder.Run.SetUp,
            Bill = folder.Run.Bill,
            Machine = folder.Run.Machine,
            Paper = PaperCheck.All(paper),
            PaperEffects = PaperEffect.All(paper),
            Citation = paper.Citation,
            Points = PointBuilder.Build(folder, tables),
        };
        return model with { Findings = Findings.Of(model) };
    }

    /// <summary>Where the messages ended: the part of a report that takes no time.</summary>
    public static IReadOnlyList<LossRow> Losses(RunFolder folder) => folder.Run.Scenario.IsDemonstration
        // A fault takes messages together, however evenly it does so over the iterations.
        ? Levels(folder, level => DetailBuilder.Losses(level) with { MessageShare = null })
        : Levels(folder, DetailBuilder.Losses);

    private static IReadOnlyList<T> Levels<T>(RunFolder folder, Func<ArmLevel, T> make) =>
    [
        .. from users in folder.Run.Scenario.Levels
           from arm in folder.Run.Scenario.ShownArms
           let level = ArmLevel.Of(folder, arm, users)
           where level.Rows.Count > 0
           select make(level),
    ];

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
