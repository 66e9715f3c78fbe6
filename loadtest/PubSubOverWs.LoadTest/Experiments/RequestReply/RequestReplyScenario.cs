namespace PubSubOverWs.LoadTest.Experiments.RequestReply;

/// <summary>
/// Users send requests to providers that they pick at random, at a constant rate together; each provider answers on the reply topic that
/// the request names. Every provider subscribes to a topic of its own, and so does every user.
/// </summary>
public sealed record RequestReplyScenario : RelayScenario, ILevelPlan
{
    /// <summary>The arm whose messages go through nothing but its server.</summary>
    public const string Bare = Relays.Direct;

    /// <summary>Replies that arrived while the counted requests were due, over that time.</summary>
    public static Measure Answered { get; } = new("answered", "requests/s", "answered requests per second");

    /// <summary>Over the same time, or until the load gave up.</summary>
    public static Measure PerCoreSecond { get; } =
        new("perCoreSecond", "requests", "answered requests per busy core-second of the server process");

    public static Measure ServerBusy { get; } = new("serverBusy", "percent of a core", "CPU of the server process");

    public static Measure LoadBusy { get; } = new("loadBusy", "percent of a core", "CPU of the load, with users and providers");

    /// <summary>Of all its processes, at the end of that time.</summary>
    public static Measure Resident { get; } = new("resident", "MiB", "resident memory of the server");

    /// <summary>
    /// Requests, counted or not, that were not sent: so many were unanswered that one of them was past the deadline.
    /// </summary>
    public static Measure NotSent { get; } = new("notSent", "requests", "requests that were due and not sent any more");

    // Each takes 16 bytes of stamps while it is measured, and 16 bytes in each of three flows while it is counted.
    private const int MaxRequests = 3_000_000;

    /// <summary>What carries checksum and number: 'crc=XXXXXXXX;id=NNNNNNNNN;'.</summary>
    private const int LeastBytes = 26;

    private static readonly Factor RateFactor = new("rate", "requests/s") { IsRate = true };

    public static ScenarioKind Experiment { get; } = new(
        "request-reply",
        [Relays.Find(Relays.Direct)!, Relays.Lean, Relays.Find(Relays.PubSub)!, Relays.Unpacked],
        [Relays.Contrast], [RateFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Number<RequestReplyScenario>(
                "users", scenario => scenario.Users, (scenario, value) => scenario with { Users = value }),
            ScenarioKey.Number<RequestReplyScenario>(
                "providers", scenario => scenario.Providers, (scenario, value) => scenario with { Providers = value }),
            ScenarioKey.Numbers<RequestReplyScenario>(
                "rates", scenario => scenario.Rates, (scenario, value) => scenario with { Rates = value }),
            ScenarioKey.Time<RequestReplyScenario>("for", scenario => scenario.For, (scenario, value) => scenario with { For = value }),
            ScenarioKey.Time<RequestReplyScenario>(
                "settle", scenario => scenario.Settle, (scenario, value) => scenario with { Settle = value }),
            ScenarioKey.Number<RequestReplyScenario>(
                "requestBytes", scenario => scenario.RequestBytes, (scenario, value) => scenario with { RequestBytes = value }),
            ScenarioKey.Number<RequestReplyScenario>(
                "replyBytes", scenario => scenario.ReplyBytes, (scenario, value) => scenario with { ReplyBytes = value }),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.Deadline, CommonKeys.Pinning,
            RelayKeys.Workers, RelayKeys.QueueLatency, RelayKeys.PubSubNodes,
            CommonKeys.Seed, CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["users", "rates", "for", "settle", "iterations", "blocks"],
        () => new RequestReplyScenario { Name = "" })
    {
        KeepsSamples = false,
        TakesServersElsewhere = true,
    };

    public RequestReplyScenario() =>
        (Arms, Floor, WarmUps) = (Relays.Named(Relays.Direct, Relays.PubSub), false, 0);

    /// <summary>Users that send requests, each over a connection of its own. 1 to 100,000.</summary>
    public int Users { get; init; } = 10_000;

    /// <summary>Providers that answer them, likewise. 1 to 1,000.</summary>
    public int Providers { get; init; } = 16;

    /// <summary>The levels: requests a second of all users together. 1 to 200,000 each.</summary>
    public IReadOnlyList<int> Rates { get; init; } = [];

    /// <summary>For how long counted requests are due. 100 ms to 10 min.</summary>
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// For how long requests are due before them that are not counted: over half of it their rate rises, then it is the same. 0 to 10 min.
    /// </summary>
    public TimeSpan Settle { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The whole body of a request. 26 to 65,536.</summary>
    public int RequestBytes { get; init; } = 32;

    /// <summary>The whole body of a reply. 26 to 65,536.</summary>
    public int ReplyBytes { get; init; } = 256;

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<string> DefaultArms => [Relays.Direct, Relays.PubSub];

    public override IReadOnlyList<Measure> Measures => [Answered, PerCoreSecond, ServerBusy, LoadBusy, Resident, NotSent];

    public override IReadOnlyList<Level> Levels => [.. Rates.Select(rate => new Level([new Setting(RateFactor, rate)]))];

    /// <summary>Over all requests of an iteration.</summary>
    public override Arrival Arrivals => new(Settle + For);

    /// <summary>A request and its reply are tied by one number; the round trip is what becomes of both.</summary>
    public override IReadOnlyList<Flow> Flows =>
    [
        new("round-trip", "user", "user", LatencyFrom.Due),
        new("request", "user", "provider", LatencyFrom.Due, Judged: false),
        new("reply", "provider", "user", LatencyFrom.Due, Judged: false),
    ];

    public override ScenarioText Describe(bool isPinned) => base.Describe(isPinned) with
    {
        Payload = $"{RequestBytes} bytes, with replies of {ReplyBytes} bytes",
        Settings = Settings,
    };

    private IReadOnlyList<(string Name, string Value)> Settings =>
    [
        ("users, providers", $"{Format.Whole(Users)}, {Format.Whole(Providers)}: a connection each"),
        ("a step", $"{Duration.Text(Settle)} that are not counted, in the first half of which the rate rises, then {Duration.Text(For)}; "
            + "rates go up in odd blocks and down in even"),
        .. LoadProcesses > 1
            ? [("load processes", $"{Format.Whole(LoadProcesses)}, which share users and providers evenly")]
            : Array.Empty<(string, string)>(),
    ];

    /// <summary>Up in odd blocks and down in even ones: what a server keeps from a rate is not always that of a lower one.</summary>
    public IReadOnlyList<Level> LevelsIn(int block) => block % 2 == 1 ? Levels : [.. Levels.Reverse()];

    /// <summary>Attempts are counted requests; each is an attempt of all three flows.</summary>
    public override LevelLoad LoadAt(Level level)
    {
        var counted = Math.Max(1, (long)(level.Number * For.TotalSeconds));
        return new LevelLoad(Users + Providers, counted)
        {
            Sends = Settling(level) + counted,
            SendsMeanwhile = true,
            Workers = LoadProcesses,
            AttemptsByFlow = [counted, counted, counted],
        };
    }

    /// <summary>Requests before the first that counts: half as many as at the full rate while it rises, and as many after that.</summary>
    public long Settling(Level level) => (long)(level.Number * Settle.TotalSeconds * 3 / 4);

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "rates", Rates, 1, 200_000);
        ScenarioRules.CheckRange(Name, prefix + "users", Users, 1, 100_000);
        ScenarioRules.CheckTime(Name, prefix + "for", For, TimeSpan.FromMilliseconds(100));
        ScenarioRules.CheckTime(Name, prefix + "settle", Settle, TimeSpan.Zero);
        if (Levels.FirstOrDefault(level => Sends(level) > MaxRequests) is { } large)
            throw new ScenarioException(
                $"'{prefix}for' of scenario '{Name}' makes {Sends(large)} requests in one iteration at {large}: at most {MaxRequests} are "
                    + "counted at a time, so choose a shorter time or a lower rate.");
    }

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioRules.CheckRange(Name, "providers", Providers, 1, 1_000);
        CheckWorkers(Users);
        ScenarioRules.CheckRange(Name, "requestBytes", RequestBytes, LeastBytes, 65_536);
        ScenarioRules.CheckRange(Name, "replyBytes", ReplyBytes, LeastBytes, 65_536);
    }
}
