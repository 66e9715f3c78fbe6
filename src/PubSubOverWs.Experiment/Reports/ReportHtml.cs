using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Reports.Figures;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Reports.Sections;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>
/// report.html: what was found, what may not be concluded, how, and everything a reader may doubt; figures beside the tables of report.md.
/// </summary>
internal static class ReportHtml
{
    public static string Write(ReportModel model)
    {
        var text = new HtmlText(model.Scenario.QueueLatency.IsSimulated ? " (simulated distance)" : "");
        Found(text, model);
        Limits(text, model);
        text.Heading(2, "How it was judged");
        HeadSection.Rules(text, model);
        FaultSection.Write(text, model);
        NoiseSection.Write(text, model);
        Draw(text, model);
        TableSection.Write(text, model);
        EvidenceSection.Write(text, model);
        LossSection.Write(text, model);
        CostSection.Write(text, model);
        CheckSection.Write(text, model);
        if (model.Scenario.IsReplication)
            PaperSection.Write(text, model);
        return HtmlPage.Write(
            HeadSection.Title(model),
            [.. text.Parts.TakeWhile(part => part.Name != "h2"), text.Contents, .. text.Parts.SkipWhile(part => part.Name != "h2")]);
    }

    private static void Found(HtmlText text, ReportModel model)
    {
        text.Heading(1, HeadSection.Title(model));
        foreach (var warning in Findings.Warnings(model))
            text.Warning(warning);
        text.Heading(2, "What was found");
        text.Lead(string.Join(' ', Findings.Measured(model)));
        HeadSection.Verdicts(text, model);
    }

    private static void Limits(HtmlText text, ReportModel model)
    {
        text.Heading(2, "What may not be concluded");
        text.List([Findings.ReachOf(model), .. Findings.Limits(model), .. Findings.Costs(model)]);
    }

    private static void Draw(HtmlText text, ReportModel model)
    {
        var points = model.Points;
        text.Heading(2, "Figures");
        if (model.Losses.Count == 0 || points.Latency.Count == 0)
        {
            text.Paragraph("Nothing was measured that could be drawn.");
            return;
        }

        if (model.Fault is null
            && new RatioFigure(
                model.Compared, Floor(model),
                model.Scenario.IsReplication ? [.. model.PaperEffects.Where(row => row.Table == "III")] : []).Draw(
                    model.Latency.Rows) is { } ratio)
            text.Draw(ratio);
        text.Draw(
            new LevelFigure(model.Compared, "latency", "Mean latency", "ms", isLog: true).Draw(points.Latency),
            new LevelFigure(model.Compared, "loss", "Loss", "%", isLog: false).Draw(points.Loss));
        text.Draw(IterationFigure.Draw(points.Iterations, model.Compared));
        text.Draw(PercentileFigure.Draw(model.LatencyShapes, model.Compared));
        if (model.Losses.Any(row => row.Buckets.Lost > 0))
            text.Draw(BucketFigure.Draw(model.Losses));
        text.Draw(TimelineFigure.Draw(points, model.Compared));
    }

    // Of an A/A run its own, of any other the larger of those that it is held against.
    private static double? Floor(ReportModel model) => model.AgainstItself is { } found ? found.Latency : model.NoiseFloor?.Latency;
}
