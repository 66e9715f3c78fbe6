using PubSubOverWs.Experiment.Claims.Standard;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Nodes;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.Experiment.Analyses;

/// <summary>What several servers promise when something is wrong with one of them, and what that costs.</summary>
internal static class NodesAnalysis
{
    private static readonly string[] Arms = [.. NodeArms.All.Select(arm => arm.Name)];

    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.Loss, .. NodesScenario.Experiment.Measures.Select(measure => Metric.Of(measure)), MessageMetrics.Latency,
        MessageMetrics.LatencyP99,
    ])
    {
        Claims =
        [
            new CountClaim(
                "queues-keep-their-promise", "no message to a queue is lost whose publisher heard that it was taken", Arms,
                "acknowledged and lost by queues", level => Sum(level, NodesScenario.QueueLost), Required: true),
            new CountClaim(
                "topics-tell",
                "no message to a topic is missing silently: a subscriber that misses one is disconnected after it was sent", Arms,
                "missing silently", level => Sum(level, NodesScenario.TopicUntold), Required: true),
        ],
    };

    private static long Sum(ArmLevel level, Measure measure) => (long)level.Rows.Sum(row => row.Measures[measure.Name] ?? 0);
}
