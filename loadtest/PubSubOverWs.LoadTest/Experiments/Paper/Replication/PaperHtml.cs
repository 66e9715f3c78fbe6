using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Figures;
using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>report.html: findings, limits, method, and all details; figures beside the tables of report.md.</summary>
internal static class PaperHtml
{
    public static string Write(PaperModel model) => HtmlText.Write(
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
            .. FaultSection.Of(model.Fault),
            .. HeadSection.Noise(model),
            new Heading(2, "Figures"),
            .. Figures(model),
            .. TableSection.Of(model),
            .. EvidenceSection.Of(model),
            .. LossSection.Of(model.Losses, model.Events, model.Scenario.Disturbance is not null),
            .. CostSection.Of(model),
            .. CheckSection.Of(model.Facts),
            .. PaperSection.Of(model),
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
}
