using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Reports.Sections;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>report.md: first what was found, then the tables, then everything a reader may doubt.</summary>
internal static class ReportMarkdown
{
    public static string Write(ReportModel model) => MarkdownText.Write(
        [
            .. HeadSection.Of(model), .. FaultSection.Of(model), .. NoiseSection.Of(model), .. TableSection.Of(model),
            .. LossSection.Of(model), .. CostSection.Of(model), .. CheckSection.Of(model.Facts), .. PaperSection.Of(model),
        ],
        Mark(model.Scenario));

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
