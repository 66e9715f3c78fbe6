using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>Options for the systems under test: which are already running, and which queue is used.</summary>
public record TargetOptions
{
    private static readonly Dictionary<string, Uri> None = [];

    private static readonly Dictionary<string, int> NoProcesses = [];

    /// <summary>Addresses of targets that are already running, by name; the run starts all others.</summary>
    public IReadOnlyDictionary<string, Uri> Addresses { get; init; } = None;

    /// <summary>Addresses of servers that are no part of the program, by the name of their arm.</summary>
    public IReadOnlyDictionary<string, Uri> Elsewhere { get; init; } = None;

    /// <summary>Processes of those on this machine, by the name of their arm, whose CPU and memory are then measured.</summary>
    public IReadOnlyDictionary<string, int> ProcessesElsewhere { get; init; } = NoProcesses;

    /// <summary>All addresses of servers that are already running.</summary>
    public IEnumerable<Uri> AllAddresses => Addresses.Values.Concat(Elsewhere.Values);

    /// <summary>Credentials for those; servers that the run starts accept everyone.</summary>
    public ServerAccess Access { get; init; } = ServerAccess.None;

    /// <summary>The queue of the servers; with a server that is already running, the queue whose drain is proven.</summary>
    public QueueTarget Queue { get; init; } = QueueTarget.Embedded;

    /// <summary>The user chose <see cref="QueueTarget.SqsClient"/>.</summary>
    public bool NamesSqsClient { get; init; }

    /// <summary>Dollars for a million requests to SQS; null: <see cref="QueueBills.DefaultPrice"/> on AWS, and no bill elsewhere.</summary>
    public decimal? PricePerMillion { get; init; }

    /// <summary>The user has agreed to the cost of AWS.</summary>
    public bool MayCostMoney { get; init; }

    /// <summary>False: some servers cannot be restarted, so the run has one block.</summary>
    public bool OwnServersOnly => !AllAddresses.Any();

    /// <summary>Where the server of an arm is; null: the run starts it.</summary>
    public Uri? AddressOf(Arm arm) => arm.IsElsewhere ? Elsewhere.GetValueOrDefault(arm.Name) : Addresses.GetValueOrDefault(arm.Target);
}

/// <summary>A target as one run uses it.</summary>
/// <param name="Target">Its name.</param>
public sealed record TargetUse(string Target, Scenario Scenario, TargetOptions Options)
{
    /// <summary>Its arms that are run; empty: it is not used.</summary>
    public IReadOnlyList<Arm> Arms =>
        [.. (Scenario.Floor ? Scenario.Arms.Append(Arm.Floor) : Scenario.Arms).Where(arm => arm.Target == Target)];

    /// <summary>Its address; null: the run starts it.</summary>
    public Uri? Address => Options.Addresses.GetValueOrDefault(Target);

    public bool IsRun => Arms.Count > 0;

    /// <summary>True: the run starts its servers.</summary>
    public bool IsStarted => IsRun && Address is null;

    /// <summary>The set-ups of all its arms in this experiment, run or not.</summary>
    public IEnumerable<ServerSetUp> SetUps => Scenario.Kind.Arms.Where(arm => arm.Target == Target).Select(Scenario.SetUp);
}
