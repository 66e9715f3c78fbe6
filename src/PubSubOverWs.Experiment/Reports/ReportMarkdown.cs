namespace PubSubOverWs.Experiment.Reports;

/// <summary>report.md: first what was found, then the tables, then everything a reader may doubt.</summary>
internal static class ReportMarkdown
{
    public static string Write(ReportModel model)
    {
        var text = new MarkdownText(model.Scenario.QueueLatency.IsSimulated ? " (simulated distance)" : "");
        HeadSection.Write(text, model);
        TableSection.Write(text, model);
        LossSection.Write(text, model);
        CostSection.Write(text, model);
        CheckSection.Write(text, model);
        PaperSection.Write(text, model);
        return text.ToString();
    }
}
