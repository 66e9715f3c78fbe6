namespace PubSubOverWs.LoadTest.Experiments.Peers;

/// <summary>
/// What servers cost under the same load, beside servers that others wrote and beside another build of themselves: CPU of a round trip,
/// memory of an idle connection, and so on. A level is one such figure.
/// </summary>
public sealed record PeersScenario : RelayScenario
{
    /// <summary>
    /// An attempt is a connection of the load: it was opened, and everything that it sent has come back. Its latency is the time that
    /// opening took, where that is measured, and else 0.
    /// </summary>
    public static Flow Connection { get; } = new("connection", "client", "server", LatencyFrom.Due) { IsOfMessages = false };

    /// <summary>In the unit of the row.</summary>
    public static Measure Figure { get; } = new("figure", "in the unit of the row", "figure of the row");

    public static Measure Throughput { get; } = new("throughput", "1/s", "messages there and back per second");

    /// <summary>
    /// Most bytes of payload that a connection may have under way: more does not fit the sockets' buffers, and client and server would
    /// wait for each other.
    /// </summary>
    private const int MaxUnderWay = 64 * 1024;

    /// <summary>Callers that fill and empty a queue at once.</summary>
    public const int QueueCallers = 8;

    /// <summary>Before memory is read: time for a server to give back what the handshakes took.</summary>
    public static TimeSpan Rest { get; } = TimeSpan.FromSeconds(3);

    private static readonly Factor RowFactor = new("row", "") { Names = [.. PeerRow.All.Select(row => row.Name)] };

    public static ScenarioKind Experiment { get; } = new(
        "peers", PeersArms.All, PeersArms.Contrasts, [RowFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Create<PeersScenario>(
                "rows",
                (scenario, key, value) => scenario with { Rows = [.. JsonValue.Texts(key, value).Select(Find)] },
                (writer, scenario) => ScenarioKey.WriteList(writer, "rows", [.. scenario.Rows.Select(row => row.Name)]))
                .NamingLevels<PeersScenario>(scenario => scenario with { Rows = [.. PeerRow.All.Where(scenario.Rows.Contains)] }),
            Number("busyConnections", scenario => scenario.BusyConnections, (scenario, value) => scenario with { BusyConnections = value }),
            Number("depth", scenario => scenario.Depth, (scenario, value) => scenario with { Depth = value }),
            Number("idleConnections", scenario => scenario.IdleConnections, (scenario, value) => scenario with { IdleConnections = value }),
            Number("topicSubscribers", scenario => scenario.Subscribers, (scenario, value) => scenario with { Subscribers = value }),
            Number("queueMessages", scenario => scenario.QueueMessages, (scenario, value) => scenario with { QueueMessages = value }),
            Time("for", scenario => scenario.For, (scenario, value) => scenario with { For = value }),
            Time("warmFor", scenario => scenario.WarmFor, (scenario, value) => scenario with { WarmFor = value }),
            Time("idle", scenario => scenario.Idle, (scenario, value) => scenario with { Idle = value }),
            ScenarioKey.Truth<PeersScenario>(
                "secure", scenario => scenario.Secure, (scenario, value) => scenario with { Secure = value }),
            ScenarioKey.Text<PeersScenario>(
                "base", scenario => scenario.Base, (scenario, value) => scenario with { Base = value },
                scenario => scenario.Base.Length > 0),
            ScenarioKey.Text<PeersScenario>(
                "otherQueue", scenario => scenario.OtherQueue, (scenario, value) => scenario with { OtherQueue = value },
                scenario => scenario.OtherQueue.Length > 0),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.Deadline, CommonKeys.PayloadBytes, CommonKeys.Seed, CommonKeys.Gates,
            CommonKeys.Margins, CommonKeys.Quick,
        ],
        [
            "arms", "rows", "busyConnections", "idleConnections", "topicSubscribers", "queueMessages", "for", "warmFor", "idle",
            "iterations", "blocks",
        ],
        () => new PeersScenario { Name = "" })
    {
        KeepsSamples = false,
        AsksForFewer = "ask for fewer connections with --set idleConnections=N, or for other rows with --set rows=ROW",
    };

    public PeersScenario() => (Floor, WarmUps, Pinning, Iterations, Blocks, Deadline) =
        (false, 0, false, 10, 10, TimeSpan.FromSeconds(30));

    /// <summary>The levels.</summary>
    public IReadOnlyList<PeerRow> Rows { get; init; } = [];

    /// <summary>Of rows on CPU. 1 to 1,000.</summary>
    public int BusyConnections { get; init; } = 100;

    /// <summary>Messages that each of them keeps under way. 1 to 1,000, and at most 64 KiB of payload.</summary>
    public int Depth { get; init; } = 8;

    /// <summary>Connections that do nothing, and that are opened. 1 to 100,000.</summary>
    public int IdleConnections { get; init; } = 9_900;

    /// <summary>Of the row fan-out. 1 to 1,000.</summary>
    public int Subscribers { get; init; } = 1_000;

    /// <summary>In and out of a queue in one trial: a multiple of ten from 10 to 10,000,000.</summary>
    public int QueueMessages { get; init; } = 100_000;

    /// <summary>How long a trial is measured. 100 ms to 10 min.</summary>
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Load before that: the first seconds of a process are the compiler's. 0 to 10 min.</summary>
    public TimeSpan WarmFor { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long the CPU time of idle connections is measured. 100 ms to 10 min; a server pings its clients every minute.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>True: with TLS and a user who logs in.</summary>
    public bool Secure { get; init; }

    /// <summary>The folder of another build of this program; empty: no arm is of another build.</summary>
    public string Base { get; init; } = "";

    /// <summary>The address of another queue server on this machine, which takes the access key test; empty: none.</summary>
    public string OtherQueue { get; init; } = "";

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<string> DefaultArms => [Relays.Direct, Relays.Lean.Name, PeersArms.Echo];

    public override IReadOnlyList<Level> Levels =>
        [.. Rows.Select(row => new Level([new Setting(RowFactor, PeerRow.All.ToList().IndexOf(row) + 1)]))];

    // A load that takes all it can get fills its cores on purpose, as a burst does.
    public override Arrival Arrivals => Arrival.Burst;

    public override IReadOnlyList<Flow> Flows => [Connection];

    public override IReadOnlyList<Measure> Measures => [Figure, Throughput];

    public override ScenarioText Describe(bool isPinned) => base.Describe(isPinned) with { Settings = Settings };

    private IReadOnlyList<(string Name, string Value)> Settings =>
    [
        ("load of the rows", $"{BusyConnections} connections with {Depth} messages under way on each; {IdleConnections} idle connections; "
            + $"{Subscribers} subscribers; {QueueMessages} messages in and out of a queue"),
        ("access", Secure ? "TLS, and a user who logs in" : "without TLS and users"),
    ];

    /// <summary>The row of a level.</summary>
    public static PeerRow RowOf(Level level) => PeerRow.All[level.Number - 1];

    public override LevelLoad LoadAt(Level level)
    {
        var row = RowOf(level);
        var clients = row == PeerRow.Queue ? QueueCallers
            : row == PeerRow.FanOut ? Subscribers + 1
            : row.IsIdle ? IdleConnections
            : BusyConnections;
        // About how long a trial takes.
        var length = row == PeerRow.IdleCpu ? Idle
            : row.IsIdle ? Rest * 2
            : WarmFor + (For * (row == PeerRow.FanOut ? 6 : 1));
        return new LevelLoad(clients, clients) { SendsMeanwhile = true, Arrivals = new Arrival(length) };
    }

    public override ServerSetUp SetUp(Arm arm) => base.SetUp(PeersArms.Current(arm)) with
    {
        SharedAs = null,
        Programs = PeersArms.IsBase(arm) ? Base : null,
    };

    internal override void CheckLevels(string prefix)
    {
        ScenarioException.ThrowUnless(Rows.Count > 0 && Rows.Distinct().Count() == Rows.Count,
            $"'{prefix}rows' of scenario '{Name}' must name at least one row, and each once.");
        ScenarioRules.CheckRange(Name, prefix + "busyConnections", BusyConnections, 1, 1_000);
        ScenarioRules.CheckRange(Name, prefix + "idleConnections", IdleConnections, 1, 100_000);
        ScenarioRules.CheckRange(Name, prefix + "topicSubscribers", Subscribers, 1, 1_000);
        ScenarioRules.CheckRange(Name, prefix + "queueMessages", QueueMessages, 10, 10_000_000);
        ScenarioException.ThrowUnless(QueueMessages % 10 == 0,
            $"'{prefix}queueMessages' of scenario '{Name}' is {QueueMessages}: it must be a multiple of ten, because messages go in tens.");
        ScenarioRules.CheckTime(Name, prefix + "for", For, TimeSpan.FromMilliseconds(100));
        ScenarioRules.CheckTime(Name, prefix + "warmFor", WarmFor, TimeSpan.Zero);
        ScenarioRules.CheckTime(Name, prefix + "idle", Idle, TimeSpan.FromMilliseconds(100));
    }

    internal override void CheckOwn()
    {
        base.CheckOwn();
        ScenarioRules.CheckRange(Name, "depth", Depth, 1, 1_000);
        ScenarioException.ThrowUnless(Depth * PayloadBytes <= MaxUnderWay,
            $"'depth' {Depth} times 'payloadBytes' {PayloadBytes} of scenario '{Name}' is more than {MaxUnderWay} bytes under way on a "
                + "connection: make one of them smaller.");
        foreach (var row in Rows)
        {
            if (Arms.FirstOrDefault(arm => !row.IsOf(arm)) is { } without)
                throw new ScenarioException(
                    $"The arm {without} of scenario '{Name}' has no row {row.Name}: omit it, or choose rows that all arms have with "
                        + $"'rows'; the row {row.Name} is of {string.Join(", ", Kind.Arms.Where(row.IsOf))}.");
            ScenarioException.ThrowUnless(!row.NeedsFreshServer || Iterations == Blocks,
                $"The row {row.Name} of scenario '{Name}' measures servers that have just started: 'iterations' must be as many as "
                    + "'blocks'.");
        }

        ScenarioException.ThrowUnless(!Rows.Contains(PeerRow.Start) || !Rows.Contains(PeerRow.IdleMemory),
            $"The rows start and idle-memory of scenario '{Name}' both need servers that had no load before: choose one of them.");
        ScenarioException.ThrowUnless(Base.Length > 0 || !Arms.Any(PeersArms.IsBase),
            $"An arm of scenario '{Name}' is of another build: name the folder of that with 'base'.");
        ScenarioException.ThrowUnless(
            FindArm(PeersArms.OtherQueue) is null || Uri.TryCreate(OtherQueue, UriKind.Absolute, out var uri) && uri.IsLoopback,
            $"The arm {PeersArms.OtherQueue} of scenario '{Name}' is a queue server that the run does not start, and puts full load on: "
                + "start one on this machine, and give its address with 'otherQueue', such as http://127.0.0.1:4566.");
        ScenarioException.ThrowUnless(
            !Secure || (Rows.All(row => row.IsCpu) && Arms.All(PeersArms.CanBeSecure)),
            $"'secure' of scenario '{Name}' is of the rows cpu, cpu-together and saturated, and of {Relays.Direct}, {Relays.Lean}, "
                + $"{PeersArms.Echo} and {PeersArms.Nats}: omit other rows and arms.");
    }

    private static PeerRow Find(string name) => PeerRow.All.FirstOrDefault(row => row.Name == name)
        ?? throw new ScenarioException(
            $"The row '{name}' is not known{Spelling.Among(name, [.. PeerRow.All.Select(row => row.Name)])}.");

    private static ScenarioKey Number(string name, Func<PeersScenario, int> get, Func<PeersScenario, int, PeersScenario> set) =>
        ScenarioKey.Number(name, get, set);

    private static ScenarioKey Time(string name, Func<PeersScenario, TimeSpan> get, Func<PeersScenario, TimeSpan, PeersScenario> set) =>
        ScenarioKey.Time(name, get, set);
}
