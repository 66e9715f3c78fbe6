namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// How fast each transport delivers, at the published tests and over a sweep of delays, what each costs, and what cuts do to it.
/// </summary>
internal static class TransportsAnalysis
{
    private static readonly IReadOnlyList<Metric> Metrics =
    [
        MessageMetrics.Latency, MessageMetrics.Loss, Metric.Of(TransportScenario.PairedDifference), MessageMetrics.LatencyP50,
        MessageMetrics.LatencyP99, Metric.Of(TransportScenario.Requests),
    ];

    public static Analysis Tests { get; } = new(Metrics) { Claims = TransportClaims.OfTests, Sections = PublishedSection.Of };

    public static Analysis Cost { get; } = new(
    [
        Metric.Of(TransportCostScenario.ToClients), Metric.Of(TransportCostScenario.ToServer), Metric.Of(TransportScenario.Requests),
        MessageMetrics.ServerCpu, Metric.Of(TransportCostScenario.IdleMemory), MessageMetrics.Latency, MessageMetrics.LatencyP99,
        MessageMetrics.Loss,
    ])
    { Claims = TransportClaims.OfCost };

    public static Analysis Cuts { get; } = new(
    [
        CutMetrics.Missing, CutMetrics.MissingPerCut, CutMetrics.Late, CutMetrics.Twice, Metric.Of(TransportCutsScenario.UntilFirst),
        MessageMetrics.LatencyP50, MessageMetrics.LatencyP99, Metric.Of(TransportCutsScenario.Cuts),
    ])
    { Claims = CutClaims.All };

    public static Analysis Sweep { get; } = new(Metrics) { Claims = TransportClaims.OfSweep, Sections = SweepSection.Of };
}
