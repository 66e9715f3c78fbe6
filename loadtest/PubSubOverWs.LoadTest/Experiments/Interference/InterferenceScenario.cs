namespace PubSubOverWs.LoadTest.Experiments.Interference;

/// <summary>
/// A client sends small requests at a constant rate, each of which the server echoes, while it streams dummy messages to the same client:
/// how long do replies wait behind the stream? The arm says on which sockets, and in which pieces.
/// </summary>
public sealed record InterferenceScenario : Scenario, ILimitReached
{
    /// <summary>A round trip; its latency counts from the send.</summary>
    public static Flow Request { get; } = new("request", "client", "client", LatencyFrom.Sent);

    public static Measure Asked { get; } = new("streamAsked", "MB/s", "stream asked for");

    /// <summary>From the first request that was due until the last reply had come; so are the two that follow.</summary>
    public static Measure Arrived { get; } = new("streamArrived", "MB/s", "stream that arrived");

    public static Measure Share { get; } = new("streamShare", "%", "stream that arrived, of what was asked for");

    /// <summary>A chunk is a message of its own.</summary>
    public static Measure Messages { get; } = new("streamMessages", "1/s", "messages of the stream that arrived");

    // A level whose stream has a smaller share is one of the socket's limit.
    private const double LeastShare = 80;

    private static readonly Factor BytesFactor = new("dummyBytes", "B dummies");

    private static readonly Factor PeriodFactor = new("dummyPeriodUs", "us apart");

    private static readonly Factor RequestFactor = new("requestEveryMs", "ms between requests");

    public static ScenarioKind Experiment { get; } = new(
        "stream-interference", InterferenceArms.All, InterferenceArms.Contrasts, [BytesFactor, PeriodFactor, RequestFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Create<InterferenceScenario>(
                "streams",
                (scenario, key, value) => scenario with { Streams = [.. JsonValue.Texts(key, value).Select(DummyMessages.Parse)] },
                (writer, scenario) => ScenarioKey.WriteList(writer, "streams", [.. scenario.Streams.Select(one => $"{one}")]))
                .NamingLevels<InterferenceScenario>(scenario => scenario with
                {
                    Streams = [.. scenario.Streams.OrderBy(stream => stream.Bytes).ThenBy(stream => stream.PeriodUs)],
                }),
            ScenarioKey.Numbers<InterferenceScenario>(
                "requestEveryMs", scenario => scenario.RequestEveryMs, (scenario, value) => scenario with { RequestEveryMs = value }),
            ScenarioKey.Number<InterferenceScenario>(
                "requests", scenario => scenario.Requests, (scenario, value) => scenario with { Requests = value }),
            ScenarioKey.Number<InterferenceScenario>(
                "chunkBytes", scenario => scenario.ChunkBytes, (scenario, value) => scenario with { ChunkBytes = value }),
            ScenarioKey.Number<InterferenceScenario>(
                "linkBytesPerSecond", scenario => scenario.LinkBytesPerSecond,
                (scenario, value) => scenario with { LinkBytesPerSecond = value }),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.WarmUps, CommonKeys.MostWarmUps, CommonKeys.Deadline,
            CommonKeys.PayloadBytes, CommonKeys.Pinning, CommonKeys.Seed, CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["arms", "streams", "requestEveryMs", "requests", "linkBytesPerSecond", "iterations", "blocks", "warmUps"],
        () => new InterferenceScenario { Name = "" });

    public InterferenceScenario() => (Arms, Floor, PayloadBytes) = (InterferenceArms.Started, false, 64);

    /// <summary>Each with every period of requests is a level.</summary>
    public IReadOnlyList<DummyMessages> Streams { get; init; } = [];

    /// <summary>From one request to the next, in milliseconds. 1 to 1,000 each.</summary>
    public IReadOnlyList<int> RequestEveryMs { get; init; } = [];

    /// <summary>Requests of an iteration. 1 to 100,000.</summary>
    public int Requests { get; init; } = 1_000;

    /// <summary>
    /// Of large messages in the arm chunked. RFC 6455 lets no message begin within another, so each chunk is a whole message. 1,024 to
    /// 1,048,576.
    /// </summary>
    public int ChunkBytes { get; init; } = 32 << 10;

    /// <summary>
    /// How many bytes each connection takes in a second, in each direction for itself: that of the client's link, through a fault proxy. 0:
    /// as many as this machine passes, without a proxy. 0 to 1,000,000,000.
    /// </summary>
    public int LinkBytesPerSecond { get; init; }

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [Asked, Arrived, Share, Messages];

    public override IReadOnlyList<string> DefaultArms => [.. InterferenceArms.Started.Select(arm => arm.Name)];

    public override IReadOnlyList<Level> Levels =>
    [
        .. from stream in Streams
           from every in RequestEveryMs
           select new Level([new Setting(BytesFactor, stream.Bytes), new Setting(PeriodFactor, stream.PeriodUs),
               new Setting(RequestFactor, every)]),
    ];

    public override Arrival Arrivals => new(SpreadOf(RequestEveryMs.DefaultIfEmpty(1).Max()));

    public override IReadOnlyList<Flow> Flows => [Request];

    /// <summary>What is streamed at a level.</summary>
    public static DummyMessages StreamOf(Level level) => new(level.Settings[0].Number, level.Settings[1].Number);

    /// <summary>The time between two requests at a level, in milliseconds.</summary>
    public static int EveryMsOf(Level level) => level.Settings[2].Number;

    public override LevelLoad LoadAt(Level level) => new(Arms.Max(arm => UsersOf(arm.Name, level)), Requests)
    {
        Arrivals = new Arrival(SpreadOf(EveryMsOf(level))),
    };

    public override int UsersOf(string arm, Level level) => arm is InterferenceArms.TwoSockets or InterferenceArms.Http2 ? 2 : 1;

    // Arms of the server differ by what a client asks for when it connects.
    public override ServerSetUp SetUp(Arm arm) => new() { SharedAs = arm.Target, ProxiedConnections = HasLink ? 1 : 0 };

    public override TrialPlan? Plan(Trial trial) => !HasLink ? null
        : new(new NetworkConditions { BytesPerSecond = LinkBytesPerSecond }, [], ArrivalsAt(trial.Level).Spread);

    public string? LimitReached(IReadOnlyDictionary<string, double?> measures) =>
        measures.GetValueOrDefault(Share.Name) < LeastShare ? "a saturated socket" : null;

    internal override void CheckLevels(string prefix)
    {
        ScenarioException.ThrowUnless(Streams.Count > 0 && Streams.Distinct().Count() == Streams.Count,
            $"'{prefix}streams' of scenario '{Name}' must name at least one stream, and each once.");
        ScenarioRules.CheckNumbers(Name, prefix + "requestEveryMs", RequestEveryMs, 1, 1_000);
        ScenarioRules.CheckRange(Name, prefix + "requests", Requests, 1, 100_000);
    }

    internal override void CheckOwn()
    {
        ScenarioRules.CheckRange(Name, "chunkBytes", ChunkBytes, 1 << 10, 1 << 20);
        ScenarioRules.CheckRange(Name, "linkBytesPerSecond", LinkBytesPerSecond, 0, 1_000_000_000);
    }

    private bool HasLink => LinkBytesPerSecond > 0;

    private TimeSpan SpreadOf(int everyMs) => TimeSpan.FromMilliseconds((double)everyMs * Requests);
}
