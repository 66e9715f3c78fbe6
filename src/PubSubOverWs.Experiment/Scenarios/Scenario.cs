namespace PubSubOverWs.Experiment.Scenarios;

/// <summary>What is to be run: an experiment as data, with every default filled in.</summary>
public sealed record Scenario
{
    /// <summary>Names the folder under results/.</summary>
    public required string Name { get; init; }

    /// <summary>The arms that are run: of direct and pubsub, or two instances of one of them (an A/A run); their order here means nothing.</summary>
    public IReadOnlyList<string> Arms { get; init; } = [Records.Arms.Direct, Records.Arms.PubSub];

    /// <summary>The levels: how many users connect, and so how many messages are sent. 1 to 1,000,000 each.</summary>
    public required IReadOnlyList<int> Users { get; init; }

    /// <summary>Measured iterations per arm and level, over all blocks. 1 to 10,000.</summary>
    public int Iterations { get; init; } = 30;

    /// <summary>Servers and queue are started afresh for each. 1 to <see cref="Iterations"/>.</summary>
    public int Blocks { get; init; } = 5;

    /// <summary>Iterations per arm, level and block that are recorded, flagged and left out. 0 to 100.</summary>
    public int WarmUps { get; init; } = 2;

    public Arrival Arrival { get; init; } = Arrival.Burst;

    /// <summary>From due; what comes later is late. 1 ms to 10 min.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The whole body of a message: id, user, sequence, checksum, filling. 64 to 65,536 bytes.</summary>
    public int PayloadBytes { get; init; } = 100;

    /// <summary>True: every SEND asks for a receipt, so that the guarantee loss is defined.</summary>
    public bool Receipts { get; init; }

    /// <summary>True: the server under test runs on one core, load and queue on the other, where the system can do it.</summary>
    public bool Pinning { get; init; } = true;

    /// <summary>How far away the embedded queue pretends to be.</summary>
    public QueueLatency QueueLatency { get; init; }

    /// <summary>Servers that the arm pubsub is, 1 to 16: several share the work as nodes, and the users are spread over them evenly.</summary>
    public int PubSubNodes { get; init; } = 1;

    /// <summary>True: one null-echo iteration per level and block, the floor of the set-up.</summary>
    public bool Floor { get; init; } = true;

    /// <summary>Decides the order of the arms, and nothing else.</summary>
    public long Seed { get; init; } = 2015;

    /// <summary>What must hold for exit code 0; docs/record.md has the grammar.</summary>
    public IReadOnlyList<string> Gates { get; init; } = [];

    /// <summary>Within what two runs of this are equivalent, for <c>compare</c>.</summary>
    public Margins Margins { get; init; } = Margins.None;

    /// <summary>What <c>--quick</c> changes; null: the scenario has no quick form.</summary>
    public QuickForm? Quick { get; init; }

    /// <summary>True: an A/A run, two instances of one server.</summary>
    public bool IsAgainstItself => Arms.Any(arm => Records.Arms.InstanceOf(arm).Length > 0);

    /// <summary>What is compared, the second with the first: direct and pubsub, or the two instances of an A/A run.</summary>
    public (string First, string Second) Compared => IsAgainstItself
        ? (Arms.Order(StringComparer.Ordinal).First(), Arms.Order(StringComparer.Ordinal).Last())
        : (Records.Arms.Direct, Records.Arms.PubSub);

    /// <summary>Whether an arm of it is this server: <c>direct</c> or <c>pubsub</c>.</summary>
    public bool Runs(string server) => Arms.Any(arm => Records.Arms.ServerOf(arm) == server);

    /// <summary>The scenario with its quick form put in.</summary>
    /// <exception cref="ScenarioException">It has none.</exception>
    public Scenario ToQuick() => Quick is null
        ? throw new ScenarioException($"The scenario '{Name}' has no quick form: leave --quick away.")
        : (this with { Users = Quick.Users, Iterations = Quick.Iterations, Blocks = Quick.Blocks, Quick = null }).Checked();

    /// <summary>Returns this scenario if every value is in its range.</summary>
    /// <exception cref="ScenarioException">Names the first value that is not.</exception>
    public Scenario Checked()
    {
        ScenarioRules.Check(this);
        return this;
    }
}
