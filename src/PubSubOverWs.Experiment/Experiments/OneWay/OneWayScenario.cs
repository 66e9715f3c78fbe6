using PubSubOverWs.Experiment.Experiments.Relay;

namespace PubSubOverWs.Experiment.Experiments.OneWay;

/// <summary>Users send messages to themselves, through one server after the other: the paper, and the faults.</summary>
public sealed record OneWayScenario : RelayScenario
{
    /// <summary>The name of the scenario that replicates the paper.</summary>
    public const string Paper = "paper";

    /// <summary>How many users connect.</summary>
    public static Factor UsersFactor { get; } = new("users", "users");

    /// <summary>The experiment of a scenario that names none.</summary>
    public static ScenarioKind Experiment { get; } = new(
        "one-way", [.. Relay.Arms.All, Relay.Arms.Packed], [Relay.Arms.Contrast], [UsersFactor],
        [
            CommonKeys.Name,
            // A default is omitted where older records lack the key, so that they read the same.
            ScenarioKey.Of<OneWayScenario>(
                "workload", (scenario, key, value) => scenario with { Workload = JsonValue.Named<Workload>(key, value) },
                (writer, scenario) => writer.WriteString("workload", Kebab.Of(scenario.Workload)),
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
            CommonKeys.Deadline, CommonKeys.PayloadBytes, CommonKeys.Receipts, CommonKeys.Pinning, RelayKeys.QueueLatency,
            RelayKeys.PubSubNodes, RelayKeys.Visibility, RelayKeys.MaxInFlight, RelayKeys.Fault, CommonKeys.Floor, CommonKeys.Seed,
            CommonKeys.Gates, CommonKeys.Margins, CommonKeys.Quick,
        ],
        ["users", "messages", "iterations", "blocks", "arrival", "fault"],
        () => new OneWayScenario { Name = "", Users = [] });

    public OneWayScenario() => Arms = Relay.Arms.Of(Relay.Arms.Direct, Relay.Arms.PubSub);

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

    public override Disturbance? Disturbance => Workload == Workload.Pairs ? OfFault : base.Disturbance;

    /// <summary>True: it is the paper's, and is held against its hypotheses. A scenario of any other name is a user's own.</summary>
    public bool IsReplication => Name == Paper && Disturbance is null && !IsAgainstItself;

    // Older reports have no such rows.
    public override IReadOnlyList<(string Name, string Value)> ShownSettings => Disturbance is null ? [] :
    [
        ("workload", $"{Kebab.Of(Workload)}, {Format.Count(Messages, "message")} of each user"),
        ("visibility", Visibility is { } visibility ? Duration.Text(visibility) : "the server's default"),
        ("fault", Fault.ToString()),
    ];

    public override IReadOnlyList<(string Word, string Text)> Details => Disturbance is null
        ? []
        : [("fault", $"{Fault}; workload {Kebab.Of(Workload)}, {Messages} messages of each user")];

    /// <summary>True: its measures are when clients were away.</summary>
    public bool KeepsFaults => Workload == Workload.Pairs;

    public override IReadOnlyList<Measure> Measures => KeepsFaults ? FaultMeasures.All : base.Measures;

    public override int ConnectionsPerUser => Workload == Workload.Pairs ? 2 : 1;

    public override int UsersAt(Level level) => level.Number;

    public override long Attempts(Level level) => (long)level.Number * Messages;

    public override Scenario Ordered() => this with { Users = [.. Users.Order()] };

    /// <summary>The level of this many users.</summary>
    public static Level OfUsers(int users) => new([new Setting(UsersFactor, users)]);

    internal override Scenario WithNeedsOfFault() =>
        (OneWayScenario)base.WithNeedsOfFault() with { Arrival = Arrival.AtLeast(Fault.LeastSpread) };

    internal override Scenario WithLevelsOf(Scenario other) => other is OneWayScenario one ? this with { Users = one.Users } : this;

    internal override void CheckLevels(string prefix) => ScenarioRules.CheckNumbers(Name, prefix + "users", Users, 1, 1_000_000);

    internal override void CheckOwn()
    {
        base.CheckOwn();
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
