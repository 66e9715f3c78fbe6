namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// The connection of every client is cut again and again, over a network that loses packets: what comes late or twice, and what never
/// comes? A client does what its transport does by itself (plain), or names the last measurement that it has in each request (resuming).
/// </summary>
public sealed record TransportCutsScenario : TransportScenario, ISimultaneousTrials
{
    public static Measure Cuts { get; } = new("cuts", "cuts", "cuts that clients noticed");

    public static Measure UntilFirst { get; } = new(
        "untilFirst", "ms", "time from when a client noticed a cut until the next measurement came");

    /// <summary>The least retransmission time-out of TCP as Linux has it.</summary>
    private static readonly TimeSpan ResentAfter = TimeSpan.FromMilliseconds(200);

    private static readonly Factor LossFactor = new("loss", "% lost");

    private static readonly Factor ClientFactor = new("client", "") { Names = ["plain", "resuming"] };

    public static ScenarioKind Experiment { get; } = new(
        "transports-cuts", TransportArms.WithHttp2, TransportArms.ContrastsWithHttp2, [LossFactor, ClientFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Numbers<TransportCutsScenario>(
                "losses", scenario => scenario.Losses, (scenario, value) => scenario with { Losses = value }),
            ScenarioKey.Time<TransportCutsScenario>(
                "delay", scenario => scenario.Delay, (scenario, value) => scenario with { Delay = value }),
            ScenarioKey.Time<TransportCutsScenario>(
                "cutAfter", scenario => scenario.CutAfter, (scenario, value) => scenario with { CutAfter = value }),
            ScenarioKey.Number<TransportCutsScenario>(
                "phases", scenario => scenario.Phases, (scenario, value) => scenario with { Phases = value }) with
            { IsOfLevels = true },
            .. TransportKeys.All,
        ],
        ["losses", "phases", "measurements", "iterations", "blocks"],
        () => new TransportCutsScenario { Name = "" });

    public TransportCutsScenario() => Arms = TransportArms.WithHttp2;

    /// <summary>In percent of the chunks of each direction; each with both kinds of client is a level. 0 to 50 each.</summary>
    public IReadOnlyList<int> Losses { get; init; } = [];

    /// <summary>Each way, the same for every message. 1 ms to 1 s.</summary>
    public TimeSpan Delay { get; init; } = TimeSpan.FromMilliseconds(40);

    /// <summary>
    /// The mean time for which a connection lasts, drawn evenly from half of it to one and a half, for each connection. 500 ms to 1 min.
    /// </summary>
    public TimeSpan CutAfter { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Clients of each arm at each level. 1 to 80.</summary>
    public int Phases { get; init; } = 6;

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [Cuts, UntilFirst];

    public override IReadOnlyList<Level> Levels =>
    [
        .. from loss in Losses
           from client in Enumerable.Range(1, ClientFactor.Names!.Count)
           select new Level([new Setting(LossFactor, loss), new Setting(ClientFactor, client)]),
    ];

    public override Disturbance? Disturbance => new(Experiment.Name);

    public override ScenarioText Describe(bool isPinned)
    {
        var said = base.Describe(isPinned);
        return said with
        {
            Settings = [.. said.Settings, .. Settings],
            Cautions =
            [
                $"Packet loss is imitated: a chunk that would be lost comes {Duration.Text(ResentAfter)} later, as after a retransmission. "
                    + "Cuts are resets, which a client with a request or a stream under way notices at once.",
            ],
        };
    }

    private IReadOnlyList<(string Name, string Value)> Settings =>
    [
        ("network",
            $"{Duration.Text(Delay)} each way; of the chunks in each direction the share of the level comes "
                + $"{Duration.Text(ResentAfter)} later, with what is behind them; each connection is cut after "
                + $"{Duration.Text(CutAfter / 2)} to {Duration.Text(CutAfter * 1.5)}, drawn evenly"),
        ("clients",
            "plain: does what its transport does by itself, so sse alone names the last event that it has; resuming: every request names "
                + "the last measurement; both come back at once"),
    ];

    /// <summary>The share of chunks that are lost at a level: 0 to 1.</summary>
    public static double LossOf(Level level) => level.Settings[0].Number / 100.0;

    /// <summary>True: clients name the last measurement that they have. False: they do what their transport does by itself.</summary>
    public static bool Resumes(Level level) => level.Settings[1].Text == "resuming";

    public override AfterCut AfterCutAt(Level level) => Resumes(level) ? AfterCut.Resume : AfterCut.ComeBack;

    protected override int ClientsAt(Level level) => Phases;

    public NetworkConditions NetworkAt(Level level) => new()
    {
        Latency = Delay,
        LostShare = LossOf(level),
        ResentAfter = ResentAfter,
        ResetAfter = CutAfter,
        ResetJitter = CutAfter / 2,
    };

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "losses", Losses, 0, 50);
        ScenarioRules.CheckRange(Name, prefix + "phases", Phases, 1, 80);
        base.CheckLevels(prefix);
    }

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioRules.CheckTime(Name, "delay", Delay, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(1));
        ScenarioRules.CheckTime(Name, "cutAfter", CutAfter, TimeSpan.FromMilliseconds(500), TimeSpan.FromMinutes(1));
    }
}

/// <summary>
/// What each transport costs: many clients of one arm at a time, on a server of its own, without a network between them. Bytes are those
/// that clients write to and read from their connections, from the first measurement on, without what TCP and IP add.
/// </summary>
public sealed record TransportCostScenario : TransportScenario
{
    public static Measure ToClients { get; } = new("bytesToClient", "bytes", "bytes to the client per measurement");

    public static Measure ToServer { get; } = new("bytesToServer", "bytes", "bytes to the server per measurement");

    public static Measure IdleMemory { get; } = new("idleMemory", "KiB", "resident memory of the server per idle client");

    private static readonly Factor ClientsFactor = new("clients", "clients");

    public static ScenarioKind Experiment { get; } = new(
        "transports-cost", TransportArms.WithHttp2, TransportArms.ContrastsWithHttp2, [ClientsFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Numbers<TransportCostScenario>(
                "clients", scenario => scenario.Clients, (scenario, value) => scenario with { Clients = value }),
            .. TransportKeys.All,
        ],
        ["clients", "measurements", "iterations", "blocks"],
        () => new TransportCostScenario { Name = "" })
    {
        KeepsSamples = false,
    };

    public TransportCostScenario() => Arms = TransportArms.WithHttp2;

    /// <summary>The levels. 2 to 2,000 each.</summary>
    public IReadOnlyList<int> Clients { get; init; } = [];

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [ToClients, ToServer, Requests, IdleMemory];

    public override IReadOnlyList<Level> Levels => [.. Clients.Select(clients => new Level([new Setting(ClientsFactor, clients)]))];

    protected override int ClientsAt(Level level) => level.Number;

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "clients", Clients, 2, 2_000);
        base.CheckLevels(prefix);
    }
}

/// <summary>
/// One-way delays from almost none to long ones, the same for every message, with clients at evenly spaced phases towards the sensor: what
/// the published model and the corrected one say is held against what is measured.
/// </summary>
public sealed record TransportSweepScenario : TransportScenario, ISimultaneousTrials
{
    private static readonly Factor DelayFactor = new("delay", "ms each way");

    public static ScenarioKind Experiment { get; } = new(
        "transports-sweep", TransportArms.All, TransportArms.Contrasts, [DelayFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Numbers<TransportSweepScenario>(
                "delays", scenario => scenario.Delays, (scenario, value) => scenario with { Delays = value }),
            ScenarioKey.Number<TransportSweepScenario>(
                "phases", scenario => scenario.Phases, (scenario, value) => scenario with { Phases = value }) with
            { IsOfLevels = true },
            .. TransportKeys.All,
        ],
        ["delays", "phases", "measurements", "iterations", "blocks"],
        () => new TransportSweepScenario { Name = "" });

    /// <summary>The levels: ms each way. 1 to 1,000 each.</summary>
    public IReadOnlyList<int> Delays { get; init; } = [];

    /// <summary>Clients of each arm at each level. 1 to 100; fewer than 20 leave gaps where polls keep their phase.</summary>
    public int Phases { get; init; } = 20;

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [PairedDifference, Requests];

    public override IReadOnlyList<Level> Levels => [.. Delays.Select(delay => new Level([new Setting(DelayFactor, delay)]))];

    protected override int ClientsAt(Level level) => Phases;

    public NetworkConditions NetworkAt(Level level) => new() { Latency = TimeSpan.FromMilliseconds(level.Number) };

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "delays", Delays, 1, 1_000);
        ScenarioRules.CheckRange(Name, prefix + "phases", Phases, 1, 100);
        base.CheckLevels(prefix);
    }
}
