namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>What is claimed of the published tests, and of the sweep of delays.</summary>
internal static class TransportClaims
{
    private const double Alike = 0.05;
    private const double NearPublished = 0.20;
    private const double NearModel = 0.10;
    private const double NearModelMs = 2;

    private static readonly Contrast LongPolling = new(TransportArms.WebSocket, TransportArms.LongPolling);

    private static readonly Contrast Polling = new(TransportArms.WebSocket, TransportArms.Polling);

    private static readonly CountClaim NothingIsLost = new(
        "nothing-is-lost", "every client gets every measurement in time, whatever it had to be buffered for",
        [.. TransportArms.WithHttp2.Select(arm => arm.Name)], "did not arrive in time", level => level.Buckets.Lost, Required: true);

    /// <summary>Of the published tests.</summary>
    public static IReadOnlyList<Claim> OfTests { get; } =
    [
        NothingIsLost,
        Ratio("long-polling-is-alike",
            "long polling takes 0.95 to 1.05 times as long as WebSocket at Edmonton, Lund and Caracas 3", LongPolling,
            (_, test) => test.Site is "Edmonton" or "Lund" || test.Name == "Caracas 3" ? Around(1, Alike) : null),
        Ratio("polling-is-as-published",
            "polling takes as many times as long as WebSocket as published, within 20 %, at Edmonton, Lund and Caracas", Polling,
            (_, test) => test.Site is "Edmonton" or "Lund" or "Caracas"
                ? Around(test.Polling.Mean / test.WebSocket.Mean, NearPublished)
                : null),
        Ratio("long-polling-is-slow-far-away",
            "long polling takes more than 1.5 times as long as WebSocket at Nagaoka (direction only: the way to the server was not "
                + "published)", LongPolling, (_, test) => test.Site == "Nagaoka" ? AtLeast(1.5) : null),
        Ratio("polling-is-slow-far-away",
            "polling takes more than 2 times as long as WebSocket at Nagaoka (direction only)", Polling,
            (_, test) => test.Site == "Nagaoka" ? AtLeast(2) : null),
        Ratio("long-polling-is-as-modelled",
            "at Caracas 1 and 2 long polling takes as many times as long as WebSocket as the model of drawn delays says, within 10 %; the "
                + "paper has other ratios there", LongPolling,
            (scenario, test) => test.Name is "Caracas 1" or "Caracas 2" ? AroundModel(scenario, test) : null),
    ];

    /// <summary>Of the sweep: the mean of each arm against the corrected model.</summary>
    public static IReadOnlyList<Claim> OfSweep { get; } =
    [
        NothingIsLost,
        .. TransportArms.All.Select(arm => new BandClaim(
            $"{arm}-is-as-modelled",
            $"the mean latency of {arm} lies within 10 % or 2 ms of the corrected model, away from where polls keep their phase",
            (evidence, level) => BandReading.OfMean(evidence, MessageMetrics.Latency, arm.Name, level),
            (evidence, level) => OfModel((TransportSweepScenario)evidence.Scenario, arm.Name, level))),
    ];

    /// <summary>Of what transports cost: nothing but that they work.</summary>
    public static IReadOnlyList<Claim> OfCost { get; } = [NothingIsLost];

    /// <summary>What the corrected model allows; null: nothing is claimed so close to a place where polls keep their phase.</summary>
    public static Interval? OfModel(TransportSweepScenario scenario, string arm, Level level)
    {
        var model = TransportModel.Compute(scenario);
        var expected = model.Expected(arm, level.Number);
        var reach = Math.Max(NearModel * expected, NearModelMs);
        return model.IsClear(arm, level.Number) ? new Interval(expected - reach, expected + reach) : null;
    }

    private static BandClaim Ratio(
        string id, string text, Contrast contrast, Func<TransportsScenario, PublishedTest, Interval?> band) => new(
        id, text, (evidence, level) => BandReading.OfRatio(evidence, MessageMetrics.Latency, contrast, level),
        (evidence, level) => band((TransportsScenario)evidence.Scenario, TransportsScenario.PublishedAt(level)));

    private static Interval AroundModel(TransportsScenario scenario, PublishedTest test)
    {
        var level = scenario.Levels.Single(level => TransportsScenario.PublishedAt(level) == test);
        return Around(ExpectedRatios.Compute(scenario, TransportArms.LongPolling, level)!.Value, NearModel);
    }

    private static Interval Around(double value, double share) => new(value * (1 - share), value * (1 + share));

    private static Interval AtLeast(double value) => new(value, double.PositiveInfinity);
}

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

/// <summary>
/// How fast each transport delivers, at the published tests and over a sweep of delays, what each costs, and what cuts do to it.
/// </summary>
internal static class TransportsAnalysis
{
    private static readonly IReadOnlyList<Metric> Metrics =
    [
        MessageMetrics.Latency, MessageMetrics.Loss, Metric.From(TransportScenario.PairedDifference), MessageMetrics.LatencyP50,
        MessageMetrics.LatencyP99, Metric.From(TransportScenario.Requests),
    ];

    public static Analysis Tests { get; } = new(Metrics) { Claims = TransportClaims.OfTests, Sections = PublishedSection.Write };

    public static Analysis Cost { get; } = new(
    [
        Metric.From(TransportCostScenario.ToClients), Metric.From(TransportCostScenario.ToServer), Metric.From(TransportScenario.Requests),
        MessageMetrics.ServerCpu, Metric.From(TransportCostScenario.IdleMemory), MessageMetrics.Latency, MessageMetrics.LatencyP99,
        MessageMetrics.Loss,
    ])
    { Claims = TransportClaims.OfCost };

    public static Analysis Cuts { get; } = new(
    [
        CutMetrics.Missing, CutMetrics.MissingPerCut, CutMetrics.Late, CutMetrics.Twice, Metric.From(TransportCutsScenario.UntilFirst),
        MessageMetrics.LatencyP50, MessageMetrics.LatencyP99, Metric.From(TransportCutsScenario.Cuts),
    ])
    { Claims = CutClaims.All };

    public static Analysis Sweep { get; } = new(Metrics) { Claims = TransportClaims.OfSweep, Sections = SweepSection.Write };
}
