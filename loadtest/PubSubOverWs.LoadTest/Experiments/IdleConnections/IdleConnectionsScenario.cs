namespace PubSubOverWs.LoadTest.Experiments.IdleConnections;

/// <summary>
/// Very many connections subscribe to one topic and then are idle; after that a few messages are published to it, one at a time. Servers
/// and load processes are as many as the limit of open files requires.
/// </summary>
public sealed record IdleConnectionsScenario : RelayScenario
{
    /// <summary>
    /// Resident memory of all servers of the arm while the connections are idle, less what it was when they had started, by connection.
    /// </summary>
    public static Measure PerConnection { get; } = new("memoryPerConnection", "KiB", "memory of the servers per idle connection");

    /// <summary>The same when the messages have been delivered.</summary>
    public static Measure PerConnectionAfter { get; } =
        new("memoryPerConnectionAfter", "KiB", "memory of the servers per connection after the messages");

    public static Measure Resident { get; } = new("resident", "MiB", "resident memory of all servers while connections are idle");

    public static Measure LoadResident { get; } = new("loadResident", "MiB", "resident memory of the load processes at that time");

    /// <summary>From the time when the first client begins to connect until the last has subscribed.</summary>
    public static Measure Connects { get; } = new("connectsPerSecond", "1/s", "connects and subscriptions per second");

    /// <summary>Of all servers together, over <see cref="Idle"/>.</summary>
    public static Measure IdleCpu { get; } = new("idleCpu", "percent of a core", "CPU of all servers while connections are idle");

    /// <summary>CPU time of all servers from the first message on, beyond what they take while connections are idle.</summary>
    public static Measure CpuPerDelivery { get; } = new("cpuPerDelivery", "us", "CPU of the servers per delivered copy");

    /// <summary>From due, as a mean over the messages. No value: one of them did not get so far in time.</summary>
    public static Measure HalfReached { get; } = new("halfReached", "ms", "time until 50 % of the subscribers had a message");

    /// <inheritdoc cref="HalfReached"/>
    public static Measure MostReached { get; } = new("mostReached", "ms", "time until 99 % of the subscribers had a message");

    /// <inheritdoc cref="HalfReached"/>
    public static Measure AllReached { get; } = new("allReached", "ms", "time until all subscribers had a message");

    /// <summary>From the end of <see cref="Idle"/> until the first message is due: time to read what that took.</summary>
    public static TimeSpan BeforeFirst { get; } = TimeSpan.FromMilliseconds(500);

    private const int MaxServers = 16;

    // Each takes 8 bytes of stamps in two processes while it is measured, and 16 bytes while it is counted.
    private const int MaxDeliveries = 10_000_000;

    private static readonly Factor ConnectionsFactor = new("idleConnections", "connections");

    public static ScenarioKind Experiment { get; } = new(
        "idle-connections", [Relays.Find(Relays.PubSub)!, Relays.LeanPubSub],
        [new Contrast(Relays.PubSub, Relays.LeanPubSub.Name)], [ConnectionsFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Numbers<IdleConnectionsScenario>(
                "connections", scenario => scenario.Connections, (scenario, value) => scenario with { Connections = value }),
            ScenarioKey.Number<IdleConnectionsScenario>(
                "perProcess", scenario => scenario.PerProcess, (scenario, value) => scenario with { PerProcess = value }),
            ScenarioKey.Time<IdleConnectionsScenario>(
                "settle", scenario => scenario.Settle, (scenario, value) => scenario with { Settle = value }),
            ScenarioKey.Time<IdleConnectionsScenario>(
                "idle", scenario => scenario.Idle, (scenario, value) => scenario with { Idle = value }),
            ScenarioKey.Number<IdleConnectionsScenario>(
                "messages", scenario => scenario.Messages, (scenario, value) => scenario with { Messages = value }),
            ScenarioKey.Time<IdleConnectionsScenario>(
                "every", scenario => scenario.Every, (scenario, value) => scenario with { Every = value }),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.Deadline, CommonKeys.PayloadBytes, CommonKeys.Pinning,
            RelayKeys.QueueLatency, CommonKeys.Seed, CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["arms", "connections", "perProcess", "settle", "idle", "messages", "every", "iterations", "blocks"],
        () => new IdleConnectionsScenario { Name = "" })
    {
        KeepsSamples = false,
        AsksForFewer = "have fewer connections in a process with --set perProcess=N, or fewer of all with --set connections=N",
    };

    public IdleConnectionsScenario() => (Arms, Floor, WarmUps, Receipts) = (Experiment.Arms, false, 0, true);

    /// <summary>The levels: how many connections subscribe to the topic, spread evenly over the servers. 2 to 300,000 each.</summary>
    public IReadOnlyList<int> Connections { get; init; } = [];

    /// <summary>
    /// The most connections of a server, and of a load process: some hundred less than a process may have files open. 2 to 100,000.
    /// </summary>
    public int PerProcess { get; init; } = 19_000;

    /// <summary>From the last subscription on, until anything is measured. 0 to 10 min.</summary>
    public TimeSpan Settle { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long connections are idle after that; at its end memory is read. 1 s to 10 min.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Published to the topic one after the other, over a further connection. 1 to 100.</summary>
    public int Messages { get; init; } = 5;

    /// <summary>
    /// From the due time of a message to that of the next. 100 ms to 1 min; a message is alone where all have the one before by then.
    /// </summary>
    public TimeSpan Every { get; init; } = TimeSpan.FromSeconds(8);

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures =>
    [
        PerConnection, PerConnectionAfter, Resident, LoadResident, Connects, IdleCpu, CpuPerDelivery, HalfReached, MostReached,
        AllReached,
    ];

    public override IReadOnlyList<Level> Levels => [.. Connections.Select(one => new Level([new Setting(ConnectionsFactor, one)]))];

    /// <summary>Servers of each arm: as many as the largest level needs.</summary>
    public override int PubSubNodes => Math.Max(1, Processes);

    /// <summary>From the last subscription until the last message had its time.</summary>
    public override Arrival Arrivals => new(FirstDue + (Every * Messages));

    /// <summary>When the first message is due, from the last subscription on.</summary>
    public TimeSpan FirstDue => Settle + Idle + BeforeFirst;

    public override ScenarioText Describe(bool isPinned) => base.Describe(isPinned) with { Settings = Settings };

    private IReadOnlyList<(string Name, string Value)> Settings =>
    [
        ("processes", $"at most {Format.Whole(PerProcess)} connections in each: {Format.Count(PubSubNodes, "server")} of each arm, and "
            + $"{Format.Whole(Workers)} load processes"),
        ("a trial", $"{Duration.Text(Settle)} after the last subscription nothing is measured, then connections are idle for "
            + $"{Duration.Text(Idle)}, then messages are published, one every {Duration.Text(Every)}"),
        ("messages to all", Format.Whole(Messages)),
    ];

    /// <summary>
    /// The subscribers, and the publisher. Load processes are as many as the largest level needs, and at least two: the run itself has no
    /// clients.
    /// </summary>
    public override LevelLoad LoadAt(Level level) => new(level.Number + 1, (long)level.Number * Messages)
    {
        Sends = Messages,
        SendsMeanwhile = true,
        Workers = Math.Max(2, Processes),
    };

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "connections", Connections, 2, 300_000);
        ScenarioRules.CheckRange(Name, prefix + "perProcess", PerProcess, 2, 100_000);
        ScenarioException.ThrowUnless(Processes <= MaxServers,
            $"'{prefix}perProcess' of scenario '{Name}' is {PerProcess}, so that {Connections.Max()} connections need {Processes} servers: "
                + $"at most {MaxServers} share the work.");
        ScenarioRules.CheckTime(Name, prefix + "settle", Settle, TimeSpan.Zero);
        ScenarioRules.CheckTime(Name, prefix + "idle", Idle, TimeSpan.FromSeconds(1));
        ScenarioRules.CheckTime(Name, prefix + "every", Every, TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(1));
        ScenarioRules.CheckRange(Name, prefix + "messages", Messages, 1, 100);
        if (Levels.FirstOrDefault(level => Attempts(level) > MaxDeliveries) is { } large)
            throw new ScenarioException(
                $"'{prefix}messages' of scenario '{Name}' makes {Attempts(large)} deliveries in one iteration at {large}: at most "
                    + $"{MaxDeliveries} are counted at a time, so choose fewer messages or connections.");
    }

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioRules.CheckRange(Name, "payloadBytes", PayloadBytes, PayloadRoom.For(1, Messages), 65_536);
    }

    private int Processes => (Connections.DefaultIfEmpty(0).Max() + PerProcess - 1) / PerProcess;
}
