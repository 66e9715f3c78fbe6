using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Reports.Sections;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>report.md: first what was found, then the tables, then everything a reader may doubt.</summary>
internal static class ReportMarkdown
{
    public static string Write(ReportModel model)
    {
        var text = new MarkdownText(Mark(model.Scenario));
        HeadSection.Write(text, model);
        FaultSection.Write(text, model);
        NoiseSection.Write(text, model);
        TableSection.Write(text, model);
        LossSection.Write(text, model);
        CostSection.Write(text, model);
        CheckSection.Write(text, model);
        if (model.Scenario.IsReplication)
            PaperSection.Write(text, model);
        return text.ToString();
    }

    /// <summary>What no reader of a single table may miss.</summary>
    private static string Mark(RelayScenario scenario)
    {
        var marks = new List<string>();
        if (scenario.QueueLatency.IsSimulated)
            marks.Add("simulated distance");
        if (scenario.PubSubNodes > 1)
            marks.Add($"pubsub: {Format.Whole(scenario.PubSubNodes)} nodes");
        return marks.Count == 0 ? "" : $" ({string.Join(", ", marks)})";
    }
}
