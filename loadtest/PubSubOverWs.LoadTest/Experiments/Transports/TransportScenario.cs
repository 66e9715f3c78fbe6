namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// A sensor gives measurements periodically, and a feed server has them received by WebSocket, server-sent events, long polling and
/// polling: what the experiments about transports share.
/// </summary>
public abstract record TransportScenario : Scenario
{
    /// <summary>The largest number of clients that are connected at once.</summary>
    public const int MaxClients = 3_000;

    public static Measure PairedDifference { get; } = new(
        "pairedDifference", "ms", "mean difference to the latency of the same measurement by WebSocket")
    { MayBeNegative = true };

    public static Measure Requests { get; } = new("requestsPerMeasurement", "requests", "requests per measurement");

    // What was sent last comes before the network is as it was.
    private static readonly TimeSpan Tail = TimeSpan.FromSeconds(3);

    private static readonly Flow Measured = new("measurement", "sensor", "client", LatencyFrom.Sent);

    // The first are recorded and not judged: clients begin to poll only after the first of all, and code is compiled.
    private static readonly Flow[] BothFlows = [Measured with { Name = "settling", Judged = false }, Measured];

    private static readonly PublishedTransports Published = PublishedTransports.Load();

    protected TransportScenario()
    {
        Arms = TransportArms.All;
        Floor = false;
        WarmUps = 0;
        PayloadBytes = Published.Bytes;
        Period = Published.Period;
        LongPollingWait = Published.LongPollingWait;
        PollingPause = Published.PollingPause;
    }

    /// <summary>Measurements before those that are judged.</summary>
    public const int Settling = 8;

    /// <summary>How many each client is meant to receive, without those that settle. 1 to 100,000.</summary>
    public int Measurements { get; init; } = Published.Samples;

    /// <summary>From one measurement to the next. 10 ms to 10 s.</summary>
    public TimeSpan Period { get; init; }

    /// <summary>After which the server answers a long poll that has found nothing. 1 ms to 1 min.</summary>
    public TimeSpan LongPollingWait { get; init; }

    /// <summary>From a response to the next poll. 0 to 1 min.</summary>
    public TimeSpan PollingPause { get; init; }

    /// <summary>Over all measurements; those of each client are due at a phase of their own, so that not all come at once.</summary>
    public override Arrival Arrivals => new((Settling + Measurements) * Period);

    public override IReadOnlyList<Flow> Flows => BothFlows;

    public override ScenarioText Describe(bool isPinned) => ScenarioText.Empty with { Settings = Settings };

    private IReadOnlyList<(string Name, string Value)> Settings =>
    [
        ("sensor", $"{Format.Whole(Measurements)} measurements, one every {Duration.Text(Period)}, after {Settling} that are not judged"),
        ("polling",
            $"a long poll is answered after {Duration.Text(LongPollingWait)} at the latest; a client that polls waits "
                + $"{Duration.Text(PollingPause)} after each response"),
        ("how arms run",
            IsTogether ? "all at all levels at once; CPU time of the server is of no arm" : "one after the other, without a network"),
    ];

    /// <summary>What clients do at a level when their connection was cut.</summary>
    public virtual AfterCut AfterCutAt(Level level) => AfterCut.End;

    /// <summary>Clients of each arm. Polls begin at evenly spaced phases towards the sensor, one for each client.</summary>
    protected virtual int ClientsAt(Level level) => 1;

    public override LevelLoad LoadAt(Level level)
    {
        var clients = ClientsAt(level);
        return new LevelLoad(clients, (long)(Settling + Measurements) * clients)
        {
            AttemptsByFlow = [(long)Settling * clients, (long)Measurements * clients],
        };
    }

    public override ServerSetUp SetUp(Arm arm) => IsTogether ? new() { SharedAs = TransportArms.Target } : ServerSetUp.Default;

    public override TrialPlan? Plan(Trial trial) =>
        IsTogether ? new TrialPlan(NetworkConditions.Undisturbed, [], Arrivals.Spread + Tail) : null;

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckRange(Name, prefix + "measurements", Measurements, 1, 100_000);
        ScenarioException.ThrowUnless(MaxUsers <= MaxClients,
            $"The scenario '{Name}' has {MaxUsers} clients at once, and at most {MaxClients} are allowed: choose fewer levels or arms.");
    }

    internal override void CheckOwn()
    {
        ScenarioRules.CheckTime(Name, "period", Period, TimeSpan.FromMilliseconds(10), TimeSpan.FromSeconds(10));
        ScenarioRules.CheckTime(Name, "longPollingWait", LongPollingWait, TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(1));
        ScenarioRules.CheckTime(Name, "pollingPause", PollingPause, TimeSpan.Zero, TimeSpan.FromMinutes(1));
    }
}

/// <summary>What a client does when its connection was cut.</summary>
public enum AfterCut
{
    /// <summary>It has failed.</summary>
    End,

    /// <summary>
    /// It comes back at once, and does nothing more than its transport does by itself: EventSource names the last event that it has, the
    /// others name nothing.
    /// </summary>
    ComeBack,

    /// <summary>It comes back at once, and every request names the last measurement that it has.</summary>
    Resume,
}

/// <summary>The keys that these experiments share, in the order in which they are written.</summary>
internal static class TransportKeys
{
    public static IReadOnlyList<ScenarioKey> All { get; } =
    [
        ScenarioKey.Number<TransportScenario>(
            "measurements", scenario => scenario.Measurements, (scenario, value) => scenario with { Measurements = value }) with
        { IsOfLevels = true },
        ScenarioKey.Time<TransportScenario>("period", scenario => scenario.Period, (scenario, value) => scenario with { Period = value }),
        ScenarioKey.Time<TransportScenario>(
            "longPollingWait", scenario => scenario.LongPollingWait, (scenario, value) => scenario with { LongPollingWait = value }),
        ScenarioKey.Time<TransportScenario>(
            "pollingPause", scenario => scenario.PollingPause, (scenario, value) => scenario with { PollingPause = value }),
        CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.WarmUps, CommonKeys.Deadline, CommonKeys.Pinning, CommonKeys.Seed,
        CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
    ];
}
