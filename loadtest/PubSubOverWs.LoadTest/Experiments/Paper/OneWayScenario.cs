using PubSubOverWs.LoadTest.Experiments.Paper.Faults;

namespace PubSubOverWs.LoadTest.Experiments.Paper;

/// <summary>Users send messages to themselves, through one server after the other: the paper, and the faults.</summary>
public sealed record OneWayScenario : RelayScenario
{
    /// <summary>The name of the scenario that replicates the paper.</summary>
    public const string Paper = "paper";

    /// <summary>How many users connect.</summary>
    public static Factor UsersFactor { get; } = new("users", "users");

    /// <summary>The experiment of a scenario that names none.</summary>
    public static ScenarioKind Experiment { get; } = new(
        "one-way", [.. Relays.All, Relays.Unpacked], [Relays.Contrast], [UsersFactor],
        [
            CommonKeys.Name,
            // A default is omitted where older records lack the key, so that they read the same.
            ScenarioKey.Create<OneWayScenario>(
                "workload", (scenario, key, value) => scenario with { Workload = JsonValue.Named<Workload>(key, value) },
                (writer, scenario) => writer.WriteString("workload", Kebab.Text(scenario.Workload)),
                scenario => scenario.Workload != Workload.Loopback),
            CommonKeys.Arms,
            ScenarioKey.Numbers<OneWayScenario>(
                "users", scenario => scenario.Users, (scenario, value) => scenario with { Users = value }) with
            { Option = new("N,N,..", "levels, such as 50,100,500") },
            ScenarioKey.Number<OneWayScenario>(
                "messages", scenario => scenario.Messages, (scenario, value) => scenario with { Messages = value },
                scenario => scenario.Messages != 1),
            CommonKeys.Iterations, CommonKeys.Blocks, CommonKeys.WarmUps, CommonKeys.MostWarmUps,
            ScenarioKey.Text<OneWayScenario>(
                "arrival", scenario => scenario.Arrival.ToString(),
                (scenario, value) => scenario with { Arrival = Arrival.Parse(value) }) with
            { Option = new("burst|spread:T", "burst: all users send at once; spread:2s: they send evenly over that time") },
            CommonKeys.Deadline, CommonKeys.PayloadBytes, CommonKeys.Receipts, CommonKeys.Pinning, RelayKeys.Workers,
            RelayKeys.QueueLatency, RelayKeys.PubSubNodes, RelayKeys.Visibility, OneWayKeys.MaxInFlight, OneWayKeys.Fault,
            CommonKeys.Floor, CommonKeys.Seed, CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["users", "messages", "iterations", "blocks", "arrival", "fault"],
        () => new OneWayScenario { Name = "", Users = [] });

    public OneWayScenario() => Arms = Relays.Named(Relays.Direct, Relays.PubSub);

    /// <summary>The senders and their recipients.</summary>
    public Workload Workload { get; init; }

    /// <summary>The levels: how many users connect. 1 to 1,000,000 each.</summary>
    public required IReadOnlyList<int> Users { get; init; }

    /// <summary>Messages of each user in an iteration: 1 to 10,000.</summary>
    public int Messages { get; init; } = 1;

    public Arrival Arrival { get; init; } = Arrival.Burst;

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Level> Levels => [.. Users.Select(OfUsers)];

    public override Arrival Arrivals => Arrival;

    /// <summary>
    /// The pubsub server's Queue:MaxInFlight, messages received and not deleted: 10 to 110,000. Null: the server's default.
    /// </summary>
    public int? MaxInFlight { get; init; }

    public Fault Fault { get; init; } = FaultProfiles.None;

    public override Disturbance? Disturbance => Workload == Workload.Loopback && Fault is NoFault ? null : new(Fault.Profile)
    {
        KillsServers = Fault.KillsServers,
        KillsQueue = Fault.KillsQueue,
        IsAboutConnects = Fault.IsAboutConnects,
        NeedsOwnServers = Fault.NeedsOwnServers,
    };

    public override IReadOnlyList<string> DefaultArms => Fault.DefaultArms;

    /// <summary>True: it is the paper's, and is held against its hypotheses. A scenario of any other name is a user's own.</summary>
    public bool IsReplication => Name == Paper && Disturbance is null && !IsAgainstItself;

    // Older reports have no such rows.
    public override ScenarioText Describe(bool isPinned) => base.Describe(isPinned) with
    {
        Settings = [.. SettingsOfFault, .. Sharing],
        Details = Disturbance is null
            ? []
            : [("fault", $"{Fault}; workload {Kebab.Text(Workload)}, {Messages} messages of each user")],
    };

    private IEnumerable<(string Name, string Value)> Sharing => LoadProcesses == 1
        ? []
        : [("load processes", $"{Format.Whole(LoadProcesses)}, which share the users evenly")];

    private IEnumerable<(string Name, string Value)> SettingsOfFault => Disturbance is null
        ? []
        :
        [
            ("workload", $"{Kebab.Text(Workload)}, {Format.Count(Messages, "message")} of each user"),
            ("visibility", Visibility is { } visibility ? Duration.Text(visibility) : "the server's default"),
            ("fault", Fault.ToString()),
        ];

    /// <summary>True: its measures are when clients were away.</summary>
    public bool KeepsFaults => Workload == Workload.Pairs;

    public override IReadOnlyList<Measure> Measures => KeepsFaults ? FaultMeasures.All : [];

    public override LevelLoad LoadAt(Level level) => new(level.Number, (long)level.Number * Messages)
    {
        ConnectionsPerUser = Workload == Workload.Pairs ? 2 : 1,
        Workers = LoadProcesses,
    };

    /// <summary>The level of this many users.</summary>
    public static Level OfUsers(int users) => new([new Setting(UsersFactor, users)]);

    public override ServerSetUp SetUp(Arm arm)
    {
        var setUp = base.SetUp(arm);
        return arm == Arm.Floor ? setUp : setUp with
        {
            Settings = SettingsOf(arm, setUp.Settings.ToDictionary()),
            Environment = Fault.SetUp.Environment,
            ProxiedConnections = Fault.SetUp.ProxiedConnections,
            ProxiesQueue = arm.HasQueue && Fault.SetUp.ProxiesQueue,
        };
    }

    // The same moments for all arms of an iteration; actions on the queue apply only to arms that have one.
    public override TrialPlan? Plan(Trial trial) => trial.Arm == Arm.Floor || Fault is NoFault
        ? null
        : new TrialPlan(
            Fault.SetUp.Network,
            [.. FaultTimeline.For(Fault, Seed, trial.Iteration, Arrivals.Spread)
                .Where(action => trial.Arm.HasQueue || !action.IsOfQueue)],
            Arrivals.Spread);

    private Dictionary<string, string> SettingsOf(Arm arm, Dictionary<string, string> settings)
    {
        if (settings.ContainsKey(BufferKey) && Fault.Overload is { } overload)
            settings[BufferKey] = overload.Buffer.ToString(CultureInfo.InvariantCulture);
        if (MaxInFlight is { } most && arm.HasQueue)
            settings["Queue:MaxInFlight"] = most.ToString(CultureInfo.InvariantCulture);
        return settings.Concat(Fault.SetUp.Settings).ToDictionary();
    }

    /// <summary>With the least values that its fault needs, and its default arms.</summary>
    internal Scenario WithNeedsOfFault() => this with
    {
        WarmUps = Math.Max(WarmUps, Fault.LeastWarmUps),
        Arms = [.. DefaultArms.Select(name => Kind.FindArm(name)!)],
        Arrival = Arrival.AtLeast(Fault.LeastSpread),
    };

    internal override void CheckLevels(string prefix) => ScenarioRules.CheckNumbers(Name, prefix + "users", Users, 1, 1_000_000);

    internal override void CheckOwn()
    {
        base.CheckOwn();
        CheckWorkers(Users.Min());
        if (MaxInFlight is { } most)
            ScenarioRules.CheckRange(Name, "maxInFlight", most, 10, 110_000);
        OneWayRules.Check(this);
    }
}

/// <summary>The senders and their recipients.</summary>
public enum Workload
{
    /// <summary>The paper's: each user sends to itself, over one connection.</summary>
    Loopback,

    /// <summary>
    /// Each user is two: a publisher, and on a connection of its own the subscriber it sends to. Faults need it, because only then can one
    /// be away while the other sends.
    /// </summary>
    Pairs,
}

/// <summary>Keys that only this experiment has.</summary>
internal static class OneWayKeys
{
    public static ScenarioKey MaxInFlight { get; } = ScenarioKey.Number<OneWayScenario>(
        "maxInFlight", scenario => scenario.MaxInFlight!.Value, (scenario, value) => scenario with { MaxInFlight = value },
        scenario => scenario.MaxInFlight is not null);

    public static ScenarioKey Fault { get; } = ScenarioKey.Create<OneWayScenario>(
        "fault", (scenario, _, value) => scenario with { Fault = FaultJson.Read(value) },
        (writer, scenario) => FaultJson.Write(writer, scenario.Fault), scenario => scenario.Fault is not NoFault) with
    {
        Then = scenario => ((OneWayScenario)scenario).WithNeedsOfFault(),
        Option = new(
            "NAME",
            $"fault profile with its defaults: {string.Join(", ", FaultProfiles.Names)}; docs/reference/faults.md has the predictions",
            KeyGroup.Faults)
        { Words = FaultProfiles.Names },
    };
}
