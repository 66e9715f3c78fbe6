namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>What came, and how, although connections were cut.</summary>
internal static class CutMetrics
{
    public static Metric Missing { get; } = new("measurements that never came", MetricUnit.Messages, (_, row) => MissingOf(row));

    public static Metric MissingPerCut { get; } = new(
        "measurements that never came, per cut", MetricUnit.Messages,
        (_, row) => row.Measures.GetValueOrDefault(TransportCutsScenario.Cuts.Name) is > 0 and var cuts ? MissingOf(row) / cuts : null);

    /// <summary>After the deadline of the scenario.</summary>
    public static Metric Late { get; } = new("measurements that came late", MetricUnit.Messages, (_, row) => row.Buckets.Late);

    public static Metric Twice { get; } = new(
        "measurements that came twice", MetricUnit.Messages, (_, row) => row.Anomalies.Duplicates);

    public static long MissingOf(IterationRow row) => row.Buckets.Lost - row.Buckets.Late;
}

/// <summary>What is claimed of cut connections.</summary>
internal static class CutClaims
{
    private static readonly string[] Arms = [.. TransportArms.WithHttp2.Select(arm => arm.Name)];

    public static IReadOnlyList<Claim> All { get; } =
    [
        new CountClaim(
            "resuming-clients-miss-nothing", "a client that names the last measurement that it has misses none", Arms, "never came",
            Missing, Required: true)
        { Of = "resuming clients", IsOf = TransportCutsScenario.Resumes },
        new CountClaim(
            "event-sources-miss-nothing", "EventSource misses nothing by itself", [TransportArms.Events], "never came", Missing,
            Required: true),
        new CountClaim(
            "nothing-comes-twice", "no client gets a measurement twice", Arms, "came twice", level => level.Anomalies.Duplicates,
            Required: true),
        Misses("websocket-misses-two-ways", TransportArms.WebSocket, 2,
            "a plain WebSocket client misses what was under way when its connection was cut, and what is sent until it is back"),
        Misses("long-polling-misses-one-way", TransportArms.LongPolling, 1,
            "a plain client of long polling misses what was under way when its connection was cut"),
        Misses("polling-misses-one-way", TransportArms.Polling, 1,
            "a plain client of polling misses what was under way when its connection was cut"),
    ];

    private static long Missing(ArmLevel level) => level.Rows.Sum(CutMetrics.MissingOf);

    // Within half: there are some hundred cuts in an iteration, of which a part costs a measurement.
    private static BandClaim Misses(string id, string arm, int ways, string text) => new(
        id, $"without packet loss, {text}: {ways} x delay / period measurements for each cut, within half",
        (evidence, level) => BandReading.OfMean(evidence, CutMetrics.MissingPerCut, arm, level),
        (evidence, level) =>
        {
            var scenario = (TransportCutsScenario)evidence.Scenario;
            var expected = ways * (scenario.Delay / scenario.Period);
            return TransportCutsScenario.LossOf(level) > 0 || TransportCutsScenario.Resumes(level)
                ? null
                : new Interval(expected / 2, expected * 1.5);
        });
}
