using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Experiments.Paper;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.Experiment.Analyses;

/// <summary>The analysis of each experiment.</summary>
public static class AnalysisList
{
    public static IReadOnlyDictionary<ScenarioKind, Analysis> All { get; } = new Dictionary<ScenarioKind, Analysis>
    {
        [OneWayScenario.Experiment] = PaperReport.Analysis,
    };
}
