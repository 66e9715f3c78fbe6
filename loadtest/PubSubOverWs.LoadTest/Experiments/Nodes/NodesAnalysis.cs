namespace PubSubOverWs.LoadTest.Experiments.Nodes;

/// <summary>The claims about several servers when something is wrong with one of them, and the cost.</summary>
internal static class NodesAnalysis
{
    private static readonly string[] Arms = [.. NodeArms.All.Select(arm => arm.Name)];

    private static readonly Metric Missing = new(
        "acknowledged and not delivered", MetricUnit.Messages, (_, row) => AcknowledgedAndMissing(row));

    private static readonly Metric Untold = new("topic messages missing silently", MetricUnit.Messages, (_, row) => MissingSilently(row));

    private static readonly Metric Duplicates = new("duplicates", MetricUnit.Messages, (_, row) => row.Anomalies.Duplicates);

    public static Analysis Analysis { get; } = new(
    [
        .. OfEachFlow(MessageMetrics.Loss), Missing.Of(NodesScenario.Queue), Untold,
        .. NodesScenario.Experiment.Empty().Measures.Select(measure => Metric.From(measure)),
        .. OfEachFlow(Duplicates), .. OfEachFlow(MessageMetrics.Latency), .. OfEachFlow(MessageMetrics.LatencyP99),
    ])
    {
        Claims =
        [
            new CountClaim(
                "queues-lose-nothing-acknowledged", "no message to a queue is lost whose publisher heard that it was taken", Arms,
                "acknowledged and lost by queues", level => level.Rows.Sum(AcknowledgedAndMissing), Required: true)
            { Flow = NodesScenario.Queue },
            new CountClaim(
                "topic-gaps-are-reported",
                "no message to a topic is missing silently: a subscriber that misses one is disconnected after it was sent", Arms,
                "missing silently", level => level.Rows.Sum(MissingSilently), Required: true)
            { Flow = NodesScenario.Topic },
        ],
    };

    private static Metric[] OfEachFlow(Metric metric) => [metric.Of(NodesScenario.Topic), metric.Of(NodesScenario.Queue)];

    // Messages that the queue still counts have no names: they are taken for acknowledged ones first, of which none came.
    private static long AcknowledgedAndMissing(IterationRow row) =>
        row.Buckets.LostAcknowledged + row.Buckets.StillQueued + row.Buckets.DeadLettered;

    private static long MissingSilently(IterationRow row) =>
        AcknowledgedAndMissing(row.Only(NodesScenario.Topic.Name)) - (long)(row.Measures[NodesScenario.TopicTold.Name] ?? 0);
}
