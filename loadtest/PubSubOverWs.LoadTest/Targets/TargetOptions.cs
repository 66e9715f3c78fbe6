using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Targets;

/// <summary>What the user asked of the systems under test: which are already running, and which queue is used.</summary>
public record TargetOptions
{
    private static readonly Dictionary<string, Uri> None = [];

    /// <summary>Addresses of targets that are already running, by name; the run starts all others.</summary>
    public IReadOnlyDictionary<string, Uri> Addresses { get; init; } = None;

    /// <summary>Credentials for those; servers that the run starts let everybody in.</summary>
    public ServerAccess Access { get; init; } = ServerAccess.None;

    /// <summary>
    /// The queue that servers get; of a server that is already there, the queue that is asked whether it is empty.
    /// </summary>
    public QueueTarget Queue { get; init; } = QueueTarget.Embedded;

    /// <summary><see cref="QueueTarget.SqsClient"/> was asked for, and not left alone.</summary>
    public bool NamesSqsClient { get; init; }

    /// <summary>
    /// Dollars for a million requests to SQS; null: the bill is of interest on AWS only, at <see cref="QueueBills.DefaultPrice"/>.
    /// </summary>
    public decimal? PricePerMillion { get; init; }

    /// <summary>The user has said that what AWS asks for may be spent.</summary>
    public bool MayCostMoney { get; init; }

    /// <summary>Servers that the run did not start cannot be started afresh: they are one block.</summary>
    public bool OwnServersOnly => Addresses.Count == 0;
}

/// <summary>A target as one run uses it.</summary>
/// <param name="Target">Its name.</param>
/// <param name="Scenario">What is run.</param>
/// <param name="Options">What the user asked.</param>
public sealed record TargetUse(string Target, Scenario Scenario, TargetOptions Options)
{
    /// <summary>Those of its arms that are run; none: it is not used.</summary>
    public IReadOnlyList<Arm> Arms =>
        [.. (Scenario.Floor ? Scenario.Arms.Append(Arm.Floor) : Scenario.Arms).Where(arm => arm.Target == Target)];

    /// <summary>Its address; null: the run starts it.</summary>
    public Uri? Address => Options.Addresses.GetValueOrDefault(Target);

    public bool IsRun => Arms.Count > 0;

    /// <summary>True: the run starts servers of it.</summary>
    public bool IsStarted => IsRun && Address is null;

    /// <summary>The set-ups of all its arms in this experiment, whether they are run or not.</summary>
    public IEnumerable<ServerSetUp> SetUps => Scenario.Kind.Arms.Where(arm => arm.Target == Target).Select(Scenario.SetUp);
}
