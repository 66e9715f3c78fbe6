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

/// <summary>The ways in which replies and the stream reach a client.</summary>
public static class InterferenceArms
{
    /// <summary>The server of this program that streams and echoes.</summary>
    public const string Server = "stream-server";

    public const string OneSocket = "one-socket";

    public const string TwoSockets = "two-sockets";

    public const string Chunked = "chunked";

    public const string Http2 = "http2";

    /// <summary>Also the target: any server of the same protocol, at an address.</summary>
    public const string Reference = "reference";

    public static IReadOnlyList<Arm> All { get; } =
    [
        new(OneSocket, Server) { About = "replies and whole messages of the stream on one socket, as published" },
        new(TwoSockets, Server) { About = "the stream on a socket of its own" },
        new(Chunked, Server) { About = "one socket, large messages in chunks, and replies go before the next chunk" },
        new(Http2, Server) { About = "one WebSocket for replies and one for the stream, on one HTTP/2 connection" },
        new(Reference, Reference) { About = "one socket, of the server at --reference" },
    ];

    /// <summary>Those of the server that the run starts.</summary>
    public static IReadOnlyList<Arm> Started { get; } = [.. All.Where(arm => arm.Target == Server)];

    /// <summary>A second socket, chunks and streams of HTTP/2 against one socket; and the server of this program against another.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
        [new(OneSocket, TwoSockets), new(OneSocket, Chunked), new(OneSocket, Http2), AgainstReference];

    public static Contrast AgainstReference => new(Reference, OneSocket);
}

/// <summary>
/// The figures of the replicated benchmark of requests beside a stream: the embedded results/published/stream-interference.json.
/// </summary>
/// <param name="Statistic">What the figures are, and of which machine.</param>
/// <param name="Rerun">What <see cref="PublishedRoundTrip.RerunMeanUs"/> is.</param>
/// <param name="Cells">One for each setting.</param>
/// <param name="Errata">What checking them showed, a paragraph each.</param>
public sealed record PublishedInterference(
    string Citation, string Statistic, string Rerun, IReadOnlyList<PublishedRoundTrip> Cells, IReadOnlyList<string> Errata)
{
    public static PublishedInterference Load() => PublishedFigures.Read("stream-interference").To<PublishedInterference>();

    /// <summary>The cell of a level; null: nothing was published of it.</summary>
    public PublishedRoundTrip? Find(Level level) => Cells.FirstOrDefault(cell =>
        DummyMessages.Parse(cell.Stream) == InterferenceScenario.StreamOf(level)
            && cell.RequestEveryMs == InterferenceScenario.EveryMsOf(level));
}

/// <summary>A published cell.</summary>
/// <param name="RequestEveryMs">From one request to the next.</param>
/// <param name="Stream">As scenarios write it.</param>
/// <param name="Published">As the table writes it.</param>
/// <param name="WorstMeanUs">The worst mean round trip.</param>
/// <param name="AskedMessages">Of the stream, by its period and the time of the requests.</param>
/// <param name="ArrivedMessages">As printed, in bytes, by the size of a message.</param>
/// <param name="RerunMeanUs">The mean round trip of one run of the same program elsewhere.</param>
/// <param name="RerunArrivedMessages">What arrived of the stream in that run, as <paramref name="ArrivedMessages"/>.</param>
public sealed record PublishedRoundTrip(
    int RequestEveryMs, string Stream, string Published, double WorstMeanUs, int AskedMessages, int ArrivedMessages, double RerunMeanUs,
    int RerunArrivedMessages)
{
    /// <summary>What arrived of the stream, from 0 to 1; null: there was none.</summary>
    public double? Share => ShareOf(ArrivedMessages);

    /// <summary>The same of the rerun.</summary>
    public double? RerunShare => ShareOf(RerunArrivedMessages);

    private double? ShareOf(int arrived) => AskedMessages == 0 ? null : (double)arrived / AskedMessages;
}
