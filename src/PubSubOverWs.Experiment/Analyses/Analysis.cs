using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Metrics;

namespace PubSubOverWs.Experiment.Analyses;

/// <summary>What is read from the records of an experiment: its second half.</summary>
/// <param name="Metrics">What its report shows and compares, in this order.</param>
public sealed record Analysis(IReadOnlyList<Metric> Metrics);

/// <summary>The analysis of each experiment whose report is the standard one.</summary>
public static class AnalysisList
{
    public static IReadOnlyDictionary<ScenarioKind, Analysis> All { get; } = new Dictionary<ScenarioKind, Analysis>
    {
    };
}
