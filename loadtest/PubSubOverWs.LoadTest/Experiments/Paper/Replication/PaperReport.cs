using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Figures;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>The report of the first experiment: the paper's tables, and of a run under a fault what it did.</summary>
internal static class PaperReport
{
    public static Analysis Analysis { get; } = new([])
    {
        Replicates = () => PublishedPaper.Load().Citation,
        OwnReport = Make,
        Listed = folder =>
            [.. FaultFound.From(folder, Validity.IsValid(folder))?.Levels.Select(level => level.PubSubLosesLess.ForList()) ?? []],
    };

    private static ReportFiles Make(RunFolder folder)
    {
        var model = Build(folder);
        return new ReportFiles(Markdown(model), ReportJson.Write(model), Html(model), PaperCsv.Write(model))
        {
            Verdicts =
            [
                .. model.Hypotheses.Select(one => new ReportVerdict(one.Id, one.Text, one.Sentence)),
                .. (model.Fault?.Levels ?? []).SelectMany(OfFault),
            ],
        };
    }

    private static IEnumerable<ReportVerdict> OfFault(FaultLevel level)
    {
        var at = $"{Format.Whole(level.Users)} users";
        var less = level.PubSubLosesLess;
        yield return new($"prediction at {at}", VerdictText.Words(level.Outcome.Word), $"{at}: the prediction: {level.Outcome.Text}.");
        yield return new($"H1b at {at}", VerdictText.Words(less.Word), $"{at}: H1b {less.Text}.");
    }

    // First what was found, then the tables, then everything a reader may doubt.
    private static string Markdown(PaperModel model) => MarkdownText.Write(
        TermSection.Linked(
        [
            .. HeadSection.Write(model), .. FaultSection.Write(model.Fault), .. HeadSection.Noise(model), .. TableSection.Write(model),
            .. LossSection.Write(model.Losses, model.Events, model.Scenario.Disturbance is not null), .. CostSection.Write(model),
            .. CheckSection.Write(model.Facts), .. PaperSection.Write(model),
        ]),
        Mark(model.Scenario));

    /// <summary>Warnings that no reader of a single table may miss.</summary>
    private static string Mark(OneWayScenario scenario)
    {
        var marks = new List<string>();
        if (scenario.QueueLatency.IsSimulated)
            marks.Add("simulated distance");
        if (scenario.PubSubNodes > 1)
            marks.Add($"pubsub: {Format.Whole(scenario.PubSubNodes)} nodes");
        return marks.Count == 0 ? "" : $" ({string.Join(", ", marks)})";
    }

    // Findings, limits, method, and all details; figures beside the tables.
    private static string Html(PaperModel model) => HtmlText.Write(
        HeadSection.Title(model),
        TermSection.Linked(
        [
            new Heading(1, HeadSection.Title(model)),
            .. Findings.Warnings(model.Facts).Select(warning => new Paragraph(warning, Emphasis.Warning)),
            new Heading(2, "Findings"),
            new Paragraph(string.Join(' ', PaperFindings.Measured(model)), Emphasis.Lead),
            .. HeadSection.Verdicts(model),
            new Heading(2, "Limits"),
            new BulletList([PaperFindings.ReachOf(model), .. PaperFindings.Limits(model), .. PaperFindings.Costs(model)]),
            new Heading(2, "What is judged and what is shown"),
            HeadSection.Rules(model),
            .. FaultSection.Write(model.Fault),
            .. HeadSection.Noise(model),
            new Heading(2, "Figures"),
            .. Figures(model),
            .. TableSection.Write(model),
            .. EvidenceSection.Write(model),
            .. LossSection.Write(model.Losses, model.Events, model.Scenario.Disturbance is not null),
            .. CostSection.Write(model),
            .. CheckSection.Write(model.Facts),
            .. PaperSection.Write(model),
        ]),
        model.Scenario.QueueLatency.IsSimulated ? " (simulated distance)" : "");

    private static IEnumerable<Block> Figures(PaperModel model)
    {
        var points = model.Points;
        if (model.Losses.Count == 0 || points.Latency.Count == 0)
        {
            yield return new Paragraph("Nothing was measured.");
            yield break;
        }
        PaperEffect[] published = model.Scenario.IsReplication ? [.. model.PaperEffects.Where(row => row.Table == "III")] : [];
        if (model.Fault is null && new RatioFigure(model.Compared, Floor(model), published).Draw(model.Latency.Rows) is { } ratio)
            yield return new Drawn(ratio);
        yield return new Drawn(
            new LevelFigure(model.Compared, "latency", "Mean latency", "ms", isLog: true).Draw(points.Latency),
            new LevelFigure(model.Compared, "loss", "Loss", "%", isLog: false).Draw(points.Loss));
        yield return new Drawn(IterationFigure.Draw(points.Iterations, model.Compared));
        yield return new Drawn(PercentileFigure.Draw(model.LatencyShapes, model.Compared));
        if (model.Losses.Any(row => row.Buckets.Lost > 0))
            yield return new Drawn(BucketFigure.Draw(model.Losses));
        yield return new Drawn(TimelineFigure.Draw(points, model.Scenario));
    }

    // A factor: of an A/A run its own; of any other the largest of its A/A runs.
    private static double? Floor(PaperModel model) => model.AgainstItself is { } found ? found.Latency : model.NoiseFloor?.Latency;

    internal static PaperModel Build(RunFolder folder)
    {
        var paper = PublishedPaper.Load();
        var facts = RunFacts.From(folder);
        var tables = new TableBuilder(folder, paper, facts.IsValid);
        var model = new PaperModel
        {
            Findings = [],
            Hypotheses = tables.Hypotheses(),
            NoiseFloor = folder.Noise,
            AgainstItself = tables.AgainstItself,
            Changing = [.. HalvesCheck.Compute(folder).Where(cell => cell.Differ)],
            Resolved = tables.Resolved,
            Fault = FaultFound.From(folder, facts.IsValid),
            Progress = facts.Progress,
            Loss = tables.Loss,
            LostMessages = tables.LostMessages,
            Latency = tables.Latency,
            Bytes = tables.Bytes,
            KbpsOverDeadline = tables.KbpsOverDeadline,
            KbpsOverBurst = tables.KbpsOverBurst,
            Losses = LossRow.All(folder),
            Events = [.. folder.Events.Where(one => !one.IsRoutine)],
            LatencyShapes = Levels(folder, level => DetailBuilder.LatencyShape(level) with { Curve = CurveBuilder.From(folder, level) }),
            Floor = [.. folder.Run.Scenario.Levels.Select(users => ArmLevel.From(folder, Arm.Floor.Name, users))
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
        return model with { Findings = PaperFindings.Write(model) };
    }

    private static FloorRow OfFirst(FloorRow floor, MetricTable latency) =>
        latency.Rows.First(row => row.Measured.Users == floor.Users).Measured.First is { Count: > 0, Mean: > 0 } first
            ? floor with { OfFirst = floor.Mean / first.Mean }
            : floor;

    private static IReadOnlyList<T> Levels<T>(RunFolder folder, Func<ArmLevel, T> make) => [.. ArmLevel.Measured(folder).Select(make)];
}
