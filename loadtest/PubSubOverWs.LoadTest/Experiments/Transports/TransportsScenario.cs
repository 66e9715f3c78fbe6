namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// The published tests again: each is a level, with delays drawn so that what WebSocket delivers has the mean and the deviation that were
/// published of it. That is all that was published of the network, so the way to the server has the same delays.
/// </summary>
public sealed record TransportsScenario : TransportScenario, ISimultaneousTrials
{
    private static readonly IReadOnlyList<PublishedTest> Published = PublishedTransports.Load().Tests;

    private static readonly Factor TestFactor = new("test", "") { Names = [.. Published.Select(test => test.Name)] };

    public static ScenarioKind Experiment { get; } = new(
        "transports", TransportArms.All, TransportArms.Contrasts, [TestFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Create<TransportsScenario>(
                "tests", (scenario, key, value) => scenario with { Tests = JsonValue.Texts(key, value) },
                (writer, scenario) => ScenarioKey.WriteList(writer, "tests", scenario.Tests))
                .NamingLevels<TransportsScenario>(scenario => scenario with
                {
                    Tests = [.. scenario.Tests.OrderBy(test => TestFactor.Find(test)?.Number)],
                }),
            Stall("uplinkStallEvery", scenario => scenario.UplinkStallEvery, (one, value) => one with { UplinkStallEvery = value }),
            Stall("uplinkStallFor", scenario => scenario.UplinkStallFor, (one, value) => one with { UplinkStallFor = value }),
            .. TransportKeys.All,
        ],
        ["tests", "measurements", "iterations", "blocks"],
        () => new TransportsScenario { Name = "" });

    /// <summary>The levels, by the names of the published tests: at least one, each once.</summary>
    public IReadOnlyList<string> Tests { get; init; } = [.. Published.Select(test => test.Name)];

    /// <summary>
    /// From the start of one stall of the way to the server to the next. Null: it has none. Nothing was published of that way: stalls are
    /// an assumption, made after the published figures were known, that would explain those of Nagaoka. 1 s to 10 min.
    /// </summary>
    public TimeSpan? UplinkStallEvery { get; init; }

    /// <summary>How long a stall lasts: up to <see cref="UplinkStallEvery"/>.</summary>
    public TimeSpan? UplinkStallFor { get; init; }

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [PairedDifference, Requests];

    public override IReadOnlyList<Level> Levels => [.. Tests.Select(test => new Level([TestFactor.Find(test)!.Value]))];

    public override ScenarioText Describe(bool isPinned) => base.Describe(isPinned) with
    {
        Cautions = UplinkStallEvery is { } every
            ?
            [
                $"Post hoc: the way to the server stalls for {Duration.Text(UplinkStallFor!.Value)} every {Duration.Text(every)}. Nothing "
                    + "of the kind was published; it was assumed after the published figures were known, to see whether it would explain "
                    + "them.",
            ]
            : [],
        Details = [("delays", string.Join(", ", Levels.Select(level => $"{level} {Drawn(NetworkAt(level))}")))],
    };

    /// <summary>The published test of a level.</summary>
    public static PublishedTest PublishedAt(Level level) => Published[level.Number - 1];

    // Less than was published where deviations are large: see InOrderDelays.
    public NetworkConditions NetworkAt(Level level)
    {
        var published = PublishedAt(level).WebSocket;
        var (mean, deviation) = InOrderDelays.ToDeliver(published.Mean, published.Sd, Period.TotalMilliseconds);
        return new NetworkConditions
        {
            Latency = TimeSpan.FromMilliseconds(mean),
            LatencyDeviation = TimeSpan.FromMilliseconds(deviation),
            StallEvery = UplinkStallEvery,
            StallFor = UplinkStallFor ?? TimeSpan.Zero,
            StallsUplinkOnly = UplinkStallEvery is not null,
        };
    }

    internal override void CheckLevels(string prefix)
    {
        var unknown = Tests.FirstOrDefault(test => TestFactor.Find(test) is null);
        ScenarioException.ThrowUnless(unknown is null,
            $"'{prefix}tests' of scenario '{Name}' names '{unknown}', which is no published test: "
                + $"{string.Join(", ", TestFactor.Names!)}.");
        ScenarioException.ThrowUnless(Tests.Count > 0 && Tests.Distinct().Count() == Tests.Count,
            $"'{prefix}tests' of scenario '{Name}' must name at least one test, and each once.");
        base.CheckLevels(prefix);
    }

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioException.ThrowUnless((UplinkStallEvery is null) == (UplinkStallFor is null),
            $"'uplinkStallEvery' and 'uplinkStallFor' of scenario '{Name}' go together: give both, or neither.");
        if (UplinkStallEvery is { } every)
        {
            ScenarioRules.CheckTime(Name, "uplinkStallEvery", every, TimeSpan.FromSeconds(1));
            ScenarioException.ThrowUnless(UplinkStallFor > TimeSpan.Zero && UplinkStallFor < every,
                $"'uplinkStallFor' of scenario '{Name}' must be above 0s and below 'uplinkStallEvery'.");
        }
    }

    private static ScenarioKey Stall(
        string name, Func<TransportsScenario, TimeSpan?> get, Func<TransportsScenario, TimeSpan, TransportsScenario> set) =>
        ScenarioKey.Text<TransportsScenario>(
            name, scenario => Duration.Text(get(scenario)!.Value), (scenario, value) => set(scenario, Duration.Parse(value)),
            scenario => get(scenario) is not null);

    private static string Drawn(NetworkConditions network) => Invariant(
        $"{network.Latency!.Value.TotalMilliseconds:0.0} ms ± {network.LatencyDeviation.TotalMilliseconds:0.0} ms");
}

/// <summary>How clients receive what a feed server has for them.</summary>
public static class TransportArms
{
    public const string WebSocket = "websocket";
    public const string LongPolling = "long-polling";
    public const string Polling = "polling";
    public const string Events = "sse";

    /// <summary>Over HTTP/2, in the clear and without a negotiation before it.</summary>
    public const string WebSocketHttp2 = "websocket-h2";

    public const string LongPollingHttp2 = "long-polling-h2";

    /// <summary>The target of all of them.</summary>
    public const string Target = "feed";

    public static IReadOnlyList<Arm> All { get; } =
    [
        new(WebSocket, Target) { About = "the server sends each measurement at once" },
        new(LongPolling, Target) { About = "a poll is always outstanding, and is answered when there is something" },
        new(Polling, Target) { About = "a poll is answered at once, and the next one follows after a pause" },
        new(Events, Target) { About = "server-sent events: one response that does not end" },
    ];

    /// <summary>With those over HTTP/2.</summary>
    public static IReadOnlyList<Arm> WithHttp2 { get; } =
    [
        .. All,
        new(WebSocketHttp2, Target) { About = "as websocket, over HTTP/2 (RFC 8441)" },
        new(LongPollingHttp2, Target) { About = "as long-polling, over HTTP/2" },
    ];

    /// <summary>All against WebSocket, as published, and the two kinds of polling.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
    [
        new(WebSocket, LongPolling), new(WebSocket, Polling), new(WebSocket, Events), new(LongPolling, Polling),
    ];

    /// <summary>With those over HTTP/2, against the same over HTTP/1.1.</summary>
    public static IReadOnlyList<Contrast> ContrastsWithHttp2 { get; } =
        [.. Contrasts, new(WebSocket, WebSocketHttp2), new(LongPolling, LongPollingHttp2)];
}
