namespace PubSubOverWs.LoadTest.Experiments.Misbehaving;

/// <summary>
/// What clients that misbehave cost the others: well-behaved clients send at a fixed rate, first by themselves and then beside clients that
/// misbehave, through the same server. A level is a way to misbehave.
/// </summary>
public sealed record MisbehavingScenario : RelayScenario
{
    /// <summary>Copies for well-behaved clients while nobody misbehaves.</summary>
    public static Flow Without { get; } = new("without", "well-behaved", "well-behaved", LatencyFrom.Due);

    /// <summary>The same beside clients that misbehave.</summary>
    public static Flow Beside { get; } = Without with { Name = "beside" };

    /// <summary>Those before each of the two: what is used first is still to be compiled.</summary>
    public static Flow Settling { get; } = Without with { Name = "settling" };

    public static Measure P99Without { get; } = new("p99Without", "ms", "p99 without clients that misbehave");

    public static Measure P99Beside { get; } = new("p99Beside", "ms", "p99 beside clients that misbehave");

    public static Measure Ratio { get; } = new("p99Ratio", "times", "p99 beside them over p99 without them");

    public static Measure CpuWithout { get; } = new("cpuWithout", "percent of a core", "CPU of the server without them");

    public static Measure CpuBeside { get; } = new("cpuBeside", "percent of a core", "CPU of the server beside them");

    /// <summary>A client that was not let in counts, too.</summary>
    public static Measure Cut { get; } = new("cut", "connections", "connections that the server cut, of clients that misbehave");

    /// <summary>Since the process started, which was with its block.</summary>
    public static Measure Peak { get; } = new("peakResident", "MiB", "most resident memory of the server so far");

    /// <summary>As the server computed it from its settings.</summary>
    public static Measure MemoryBound { get; } = new("memoryBound", "MiB", "the most memory that its settings allow");

    /// <summary>Shared by all subscribers, of either kind.</summary>
    public const int Topics = 10;

    private const int TopicEvery = 10;

    // Settling and measured, without the others and beside them.
    private const int Legs = 4;

    // For clients that reconnect before the server notices their loss, and for publishers that fill queues.
    private const int MoreConnections = 100;

    private static readonly Factor WayFactor = new("way", "") { Names = [.. Enum.GetValues<Misbehaviour>().Select(Kebab.Text)] };

    public static ScenarioKind Experiment { get; } = new(
        "misbehaving", [.. Relays.Named(Relays.Direct), Relays.Lean, .. Relays.Named(Relays.PubSub), Relays.LeanPubSub],
        [Relays.Contrast, new(Relays.Direct, Relays.Lean.Name), new(Relays.PubSub, Relays.LeanPubSub.Name)], [WayFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Create<MisbehavingScenario>(
                "ways",
                (scenario, key, value) => scenario with { Ways = [.. JsonValue.Texts(key, value).Select(Find)] },
                (writer, scenario) => ScenarioKey.WriteList(writer, "ways", [.. scenario.Ways.Select(Kebab.Text)]))
                .NamingLevels<MisbehavingScenario>(scenario => scenario with { Ways = [.. scenario.Ways.Order()] }),
            ScenarioKey.Number<MisbehavingScenario>(
                "misbehaving", scenario => scenario.Misbehaving, (scenario, value) => scenario with { Misbehaving = value }),
            ScenarioKey.Number<MisbehavingScenario>(
                "wellBehaved", scenario => scenario.WellBehaved, (scenario, value) => scenario with { WellBehaved = value }),
            ScenarioKey.Number<MisbehavingScenario>(
                "rate", scenario => scenario.Rate, (scenario, value) => scenario with { Rate = value }),
            ScenarioKey.Time<MisbehavingScenario>(
                "for", scenario => scenario.For, (scenario, value) => scenario with { For = value }),
            ScenarioKey.Time<MisbehavingScenario>(
                "settle", scenario => scenario.Settle, (scenario, value) => scenario with { Settle = value }),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.Deadline, CommonKeys.PayloadBytes, CommonKeys.Seed, CommonKeys.Gates,
            CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["arms", "ways", "misbehaving", "wellBehaved", "rate", "for", "settle", "iterations", "blocks"],
        () => new MisbehavingScenario { Name = "" })
    {
        KeepsSamples = false,
        AsksForFewer = "ask for fewer with --set wellBehaved=N",
    };

    public MisbehavingScenario() => (Floor, WarmUps, Pinning, Iterations, Blocks) = (false, 0, false, 5, 5);

    /// <summary>The levels.</summary>
    public IReadOnlyList<Misbehaviour> Ways { get; init; } = [];

    /// <summary>Clients that misbehave. 1 to 1,000.</summary>
    public int Misbehaving { get; init; } = 20;

    /// <summary>Clients that behave well. 10 to 5,000.</summary>
    public int WellBehaved { get; init; } = 200;

    /// <summary>Messages a second that all of them together send. 10 to 10,000.</summary>
    public int Rate { get; init; } = 500;

    /// <summary>How long they send before each measurement, and in each. 1 s to 10 min.</summary>
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From the end of the first measurement, in which the others begin to misbehave. 5 s to 10 min.</summary>
    public TimeSpan Settle { get; init; } = TimeSpan.FromSeconds(60);

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Level> Levels => [.. Ways.Select(one => new Level([new Setting(WayFactor, (int)one + 1)]))];

    public override Arrival Arrivals => new((For * Legs) + Settle);

    public override IReadOnlyList<Flow> Flows => [Without, Beside, Settling];

    public override IReadOnlyList<Measure> Measures => [P99Without, P99Beside, Ratio, CpuWithout, CpuBeside, Cut, Peak, MemoryBound];

    public override ScenarioText Describe(bool isPinned) => base.Describe(isPinned) with { Settings = Settings };

    private IReadOnlyList<(string Name, string Value)> Settings =>
    [
        ("well-behaved clients", $"{WellBehaved}, which send {Rate} messages a second together: one in {TopicEvery} to a topic, the others "
            + "to the sender's own queue"),
        ("clients that misbehave", $"{Misbehaving}, in a process of their own"),
    ];

    /// <summary>Messages of the well-behaved clients in one leg.</summary>
    public int MessagesOfLeg => (int)(Rate * For.TotalSeconds);

    /// <summary>Messages of the well-behaved clients in all legs.</summary>
    public int Messages => Legs * MessagesOfLeg;

    /// <summary>What the others of a level do.</summary>
    public static Misbehaviour WayOf(Level level) => (Misbehaviour)(level.Number - 1);

    /// <summary>The topic of the client with this number.</summary>
    public static string Topic(int client) => $"/topic/shared-{client % Topics}";

    /// <summary>The topic of a message is that of the client with this number. Null: it goes to its sender's queue.</summary>
    /// <param name="message">From 0.</param>
    public static int? TopicOf(int message) => message % TopicEvery == 0 ? message / TopicEvery % Topics : null;

    /// <summary>How many clients get a message.</summary>
    public int CopiesOf(int message) => TopicOf(message) is { } topic ? (WellBehaved - topic + Topics - 1) / Topics : 1;

    /// <summary>The index in <see cref="Flows"/> of the flow of a message.</summary>
    public int FlowOf(int message) => (message / MessagesOfLeg) switch { 1 => 0, 3 => 1, _ => 2 };

    /// <summary>When a message is due. The others begin at <see cref="BegunAt"/>.</summary>
    public TimeSpan DueAt(int message) =>
        TimeSpan.FromSeconds((double)message / Rate) + (message < Messages / 2 ? TimeSpan.Zero : Settle);

    /// <summary>When the others begin to misbehave: what was sent last has come.</summary>
    public TimeSpan BegunAt => (For * (Legs / 2)) + TimeSpan.FromSeconds(1);

    public override LevelLoad LoadAt(Level level)
    {
        var copies = new long[Flows.Count];
        for (var first = 0; first < Messages; first += MessagesOfLeg)
            copies[FlowOf(first)] += CopiesBefore(first + MessagesOfLeg) - CopiesBefore(first);
        return new LevelLoad(WellBehaved, copies.Sum()) { Sends = Messages, SendsMeanwhile = true, AttemptsByFlow = copies };
    }

    // Totals that these clients reach, and as many connections as there can be: a bound on memory that they can press against.
    public override ServerSetUp SetUp(Arm arm)
    {
        var setUp = base.SetUp(arm);
        var settings = setUp.Settings.ToDictionary();
        settings["Relay:MaxConnections"] = Invariant($"{WellBehaved + Misbehaving + MoreConnections}");
        settings["Relay:OutboxBytesTotal"] = "67108864";
        settings["Relay:UnacknowledgedBytesTotal"] = "67108864";
        settings["Relay:SentBytesTotal"] = "67108864";
        settings["Relay:TopicBacklogBytesTotal"] = "33554432";
        if (arm.HasQueue)
            settings["Queue:MaxInFlightBytes"] = "134217728";
        return setUp with { Settings = settings };
    }

    internal override void CheckLevels(string prefix)
    {
        ScenarioException.ThrowUnless(Ways.Count > 0 && Ways.Distinct().Count() == Ways.Count,
            $"'{prefix}ways' of scenario '{Name}' must name at least one way to misbehave, and each once.");
        ScenarioRules.CheckRange(Name, prefix + "misbehaving", Misbehaving, 1, 1_000);
        ScenarioRules.CheckRange(Name, prefix + "wellBehaved", WellBehaved, Topics, 5_000);
        ScenarioRules.CheckRange(Name, prefix + "rate", Rate, 10, 10_000);
        ScenarioRules.CheckTime(Name, prefix + "for", For, TimeSpan.FromSeconds(1));
        ScenarioRules.CheckTime(Name, prefix + "settle", Settle, TimeSpan.FromSeconds(5));
    }

    // Of all messages before this one. One to each topic and those between them come again and again: every client gets one copy of them,
    // and what goes to a queue has one.
    private long CopiesBefore(int message)
    {
        const int Period = TopicEvery * Topics;
        var (periods, rest) = Math.DivRem(message, Period);
        return (periods * ((long)WellBehaved + Period - Topics)) + Enumerable.Range(0, rest).Sum(one => (long)CopiesOf(one));
    }

    private static Misbehaviour Find(string name) => Enum.GetValues<Misbehaviour>().Cast<Misbehaviour?>()
        .FirstOrDefault(one => Kebab.Text(one!.Value) == name)
        ?? throw new ScenarioException($"The way to misbehave '{name}' is not known{Spelling.Among(name, [.. WayFactor.Names!])}.");
}

/// <summary>A behaviour of some clients that may harm the others.</summary>
public enum Misbehaviour
{
    /// <summary>Nothing, because there are none: both measurements are alike, and show how much the set-up itself varies.</summary>
    None,

    /// <summary>Ask for 100,000 messages of a queue at a time, and for messages of a topic, and acknowledge none.</summary>
    NeverAcknowledge,

    /// <summary>Give back every message.</summary>
    GiveBack,

    /// <summary>Read one byte a second.</summary>
    ReadSlowly,

    /// <summary>Make 1,000 subscriptions with long names, and acknowledge nothing.</summary>
    SubscribeOften,

    /// <summary>Send into 16 transactions with long destinations and receipts, as much as is taken, and commit none.</summary>
    LeaveTransactionsOpen,

    /// <summary>Read 30 kB a second, steadily: slower than the rest, and nothing that a server may end them for.</summary>
    ReadSteadily,

    /// <summary>Make 1,000 subscriptions to one topic, leave all in the same moment, come back at once, and so on.</summary>
    LeaveTogether,

    /// <summary>Commit transactions that ask for 1 MiB of receipts each, and read one byte a second.</summary>
    CommitUnread,

    /// <summary>All of the above at once: as many clients together as otherwise of one kind, an equal share of each.</summary>
    All,
}
