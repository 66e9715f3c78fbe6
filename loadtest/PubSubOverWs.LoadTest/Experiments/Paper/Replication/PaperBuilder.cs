using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>Makes the model of a report from a record folder.</summary>
internal static class PaperBuilder
{
    public static PaperModel Build(RunFolder folder)
    {
        var paper = PublishedPaper.Load();
        var facts = RunFacts.Of(folder);
        var tables = new TableBuilder(folder, paper, facts.IsValid);
        var model = new PaperModel
        {
            Findings = [],
            Hypotheses = tables.Hypotheses(),
            NoiseFloor = folder.Noise,
            AgainstItself = tables.AgainstItself,
            Changing = [.. HalvesCheck.Of(folder).Where(cell => cell.Differ)],
            Resolved = tables.Resolved,
            Fault = FaultFound.Of(folder, facts.IsValid),
            Progress = facts.Progress,
            Loss = tables.Loss,
            LostMessages = tables.LostMessages,
            Latency = tables.Latency,
            Bytes = tables.Bytes,
            KbpsOverDeadline = tables.KbpsOverDeadline,
            KbpsOverBurst = tables.KbpsOverBurst,
            Losses = LossRow.All(folder),
            Events = [.. folder.Events.Where(one => !one.IsRoutine)],
            LatencyShapes = Levels(folder, level => DetailBuilder.LatencyShape(level) with { Curve = CurveBuilder.Of(folder, level) }),
            Floor = [.. folder.Run.Scenario.Levels.Select(users => ArmLevel.Of(folder, Arm.Floor.Name, users))
                .Where(level => level.Rows.Count > 0).Select(level => OfFirst(DetailBuilder.Floor(level), tables.Latency))],
            Egress = Levels(folder, DetailBuilder.Egress),
            Load = Levels(folder, level => DetailBuilder.Load(folder.Run, level)),
            Validity = facts.Validity,
            Gates = facts.Gates,
            Scenario = (OneWayScenario)folder.Run.Scenario,
            SetUp = facts.SetUp,
            Bill = folder.Run.Bill,
            Machine = facts.Machine,
            Paper = PaperCheck.All(paper),
            PaperEffects = PaperEffect.All(paper),
            Citation = paper.Citation,
            Points = PointBuilder.Build(folder, tables),
        };
        return model with { Findings = PaperFindings.Of(model) };
    }

    private static FloorRow OfFirst(FloorRow floor, MetricTable latency) =>
        latency.Rows.First(row => row.Measured.Users == floor.Users).Measured.First is { Count: > 0, Mean: > 0 } first
            ? floor with { OfFirst = floor.Mean / first.Mean }
            : floor;

    private static IReadOnlyList<T> Levels<T>(RunFolder folder, Func<ArmLevel, T> make) => [.. ArmLevel.Measured(folder).Select(make)];
}
