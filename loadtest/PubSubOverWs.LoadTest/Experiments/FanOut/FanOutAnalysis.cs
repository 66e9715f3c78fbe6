namespace PubSubOverWs.LoadTest.Experiments.FanOut;

/// <summary>Whom a topic reaches, how fast, and what that costs.</summary>
internal static class FanOutAnalysis
{
    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.Loss, Metric.From(FanOutScenario.LeastReach), Metric.From(FanOutScenario.Reached),
        Metric.From(FanOutScenario.Deliveries),
        MessageMetrics.Latency, MessageMetrics.LatencyP50, MessageMetrics.LatencyP99, MessageMetrics.Bytes, MessageMetrics.ServerCpu,
    ])
    {
        Claims =
        [
            new CountClaim(
                "every-subscriber-is-reached", "every message reaches every subscriber in time",
                [.. FanOutScenario.Experiment.Arms.Select(arm => arm.Name)], "did not arrive in time", level => level.Buckets.Lost),
        ],
    };
}
