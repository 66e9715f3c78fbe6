using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Design;

/// <summary>What is to be run: an experiment as data, with every default filled in.</summary>
public sealed record Scenario
{
    /// <summary>Names the folder under results/.</summary>
    public required string Name { get; init; }

    /// <summary>Who sends to whom.</summary>
    public Workload Workload { get; init; }

    /// <summary>
    /// The arms that are run: of direct, direct+buffer and pubsub, or two instances of one server (an A/A run); their order here means
    /// nothing.
    /// </summary>
    public IReadOnlyList<Arm> Arms { get; init; } = Design.Arms.Of(Design.Arms.Direct, Design.Arms.PubSub);

    /// <summary>The levels: how many users connect. 1 to 1,000,000 each.</summary>
    public required IReadOnlyList<int> Users { get; init; }

    /// <summary>Messages of each user in an iteration: 1 to 10,000.</summary>
    public int Messages { get; init; } = 1;

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

    /// <summary>
    /// Servers that the arm pubsub is, 1 to 16: several share the work as nodes, and the users are spread over them evenly.
    /// </summary>
    public int PubSubNodes { get; init; } = 1;

    /// <summary>
    /// For how long the pubsub server keeps a message that it received hidden from others, Sqs:VisibilityTimeout: whole seconds, 3 s to 12
    /// h. Null: the server's default.
    /// </summary>
    public TimeSpan? Visibility { get; init; }

    /// <summary>What is broken while it runs.</summary>
    public Fault Fault { get; init; } = FaultProfiles.None;

    /// <summary>True: one null-echo iteration per level and block, the floor of the set-up.</summary>
    public bool Floor { get; init; } = true;

    /// <summary>Decides the order of the arms and what is drawn of a fault, and nothing else.</summary>
    public long Seed { get; init; } = 2015;

    /// <summary>What must hold for exit code 0; docs/record.md has the grammar.</summary>
    public IReadOnlyList<string> Gates { get; init; } = [];

    /// <summary>Within what two runs of this are equivalent, for <c>compare</c>.</summary>
    public Margins Margins { get; init; } = Margins.None;

    /// <summary>What <c>--quick</c> changes; null: the scenario has no quick form.</summary>
    public QuickForm? Quick { get; init; }

    /// <summary>True: an A/A run, two instances of one server.</summary>
    public bool IsAgainstItself => Arms.Any(arm => arm.Instance.Length > 0);

    /// <summary>What is compared: direct and pubsub, or the two instances of an A/A run.</summary>
    public Contrast Compared => IsAgainstItself
        ? new Contrast(Arms.MinBy(arm => arm.Instance, StringComparer.Ordinal)!.Name,
            Arms.MaxBy(arm => arm.Instance, StringComparer.Ordinal)!.Name)
        : new Contrast(Design.Arms.Direct, Design.Arms.PubSub);

    /// <summary>Whether an arm of it is of this target: <c>direct</c> or <c>pubsub</c>.</summary>
    public bool Runs(string target) => Arms.Any(arm => arm.Target == target);

    /// <summary>Its arm of this name, or the floor; null: there is none.</summary>
    public Arm? FindArm(string name) => name == Arm.Floor.Name ? Arm.Floor : Arms.FirstOrDefault(arm => arm.Name == name);

    /// <summary>
    /// True: faults can happen in it, and the record has their windows. Never judged against the paper: a demonstration of a mechanism, not
    /// a replication.
    /// </summary>
    public bool IsDemonstration => Workload == Workload.Pairs || Fault is not NoFault;

    /// <summary>True: what is compared can be held against the paper, which has neither one server against itself nor faults.</summary>
    public bool IsReplication => !IsAgainstItself && !IsDemonstration;

    /// <summary>The arms that a report shows: those compared, and direct+buffer between them where it is run.</summary>
    public IReadOnlyList<string> ShownArms => FindArm(Design.Arms.Buffered) is not null
        ? [Compared.First, Design.Arms.Buffered, Compared.Second]
        : [Compared.First, Compared.Second];

    /// <summary>Messages that the arm <c>direct+buffer</c> has room for.</summary>
    public int Buffer => (Fault.Overload ?? new OverloadFault()).Buffer;

    /// <summary>How many messages an iteration of a level attempts.</summary>
    public long Attempts(int users) => (long)users * Messages;

    /// <summary>How many connections a user has open at once.</summary>
    public int ConnectionsPerUser => Workload == Workload.Pairs ? 2 : 1;

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

/// <summary>The smaller form of a scenario that <c>--quick</c> runs.</summary>
public sealed record QuickForm(IReadOnlyList<int> Users, int Iterations, int Blocks);

/// <summary>Who sends to whom.</summary>
public enum Workload
{
    /// <summary>The paper's: each user sends to itself, over one connection.</summary>
    Loopback,

    /// <summary>
    /// Each user is two: a publisher, and on a connection of its own the subscriber it sends to. Faults need it, for only so can one be
    /// away while the other sends.
    /// </summary>
    Pairs,
}
