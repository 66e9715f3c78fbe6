using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// A kind of system under test: how it is described, checked before a run, started or reached, and what its queue costs. The set-up of its
/// arms is data of the scenario (<see cref="ServerSetUp"/>).
/// </summary>
public abstract class Target
{
    /// <summary>The name by which arms refer to it.</summary>
    public abstract string Name { get; }

    /// <summary>Help for the option <c>--NAME URL</c>, for a target that may already be running; null: the run always starts it.</summary>
    public virtual string? AddressHelp => null;

    /// <summary>The option for its address.</summary>
    public string AddressOption => $"--{Name}";

    /// <summary>False: it is always running already, so that there are no two instances of it to compare.</summary>
    public virtual bool IsStartedByRuns => true;

    /// <summary>Its programs, which are beside this one.</summary>
    public virtual IReadOnlyList<ServerProgram> Programs => [];

    /// <summary>Refuses options that cannot be combined in any run.</summary>
    /// <exception cref="RefusalException">Names them and which to omit.</exception>
    public virtual void CheckOptions(TargetOptions options)
    {
    }

    /// <summary>Refuses options without effect on this run, so that a typing error is noticed.</summary>
    /// <exception cref="RefusalException">Names the option and what to do.</exception>
    public virtual void Check(TargetUse use)
    {
        RefusalException.ThrowUnless(use.Address is null || use.Arms.Any(arm => arm.Name == Name), NoUse(AddressOption));
        foreach (var arm in use.Arms.Where(arm => arm.Name != Name && arm.Instance.Length == 0))
            RefusalException.ThrowUnless(use.Address is null,
                $"The arm {arm} is a {Name} server that the run starts: omit {AddressOption}, or {arm}.");
    }

    /// <summary>Checks servers and queues that are already running, before anything is started.</summary>
    /// <exception cref="RefusalException">Names what is missing and how to fix it.</exception>
    public virtual async Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        if (use is { IsRun: true, Address: { } address })
            await new AddressCheck(Name, AddressOption, address, use.Options.Access, time).RunAsync(stopping);
    }

    /// <summary>For a dry run: its processes in this run, and its servers that are already running.</summary>
    public abstract IEnumerable<string> Processes(TargetUse use);

    /// <summary>Settings for run.json, in addition to those of the scenario.</summary>
    public virtual IEnumerable<(string Name, string Value)> Settings(TargetUse use) => [];

    /// <summary>Its queue, for run.json; null: there is none.</summary>
    public virtual QueueDescription? Queue(TargetUse use) => null;

    /// <summary>The expected cost of its queue; null: it is free, and no price was given.</summary>
    /// <param name="trials">All trials of its arms that are still to run.</param>
    /// <param name="time">The expected duration of the run.</param>
    public virtual QueueBill? Bill(TargetUse use, IReadOnlyList<Trial> trials, TimeSpan time) => null;

    /// <summary>Starts its arms for a block, or connects to the server that is already running.</summary>
    /// <param name="arms">In the order in which they are started; of several that share their servers the first.</param>
    /// <exception cref="ChildException">One could not be started.</exception>
    public abstract Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping);

    protected string NoUse(string option) => $"{option} has no effect without the arm {Name}: omit it, or add {Name} to --arms.";
}

/// <summary>The queue of a target, as run.json describes it.</summary>
/// <param name="Text">Which queue it is.</param>
/// <param name="Client">The client of the servers; null: the run starts no server.</param>
/// <param name="IsOfThisRun">True: the run starts its process.</param>
public sealed record QueueDescription(string Text, string? Client, bool IsOfThisRun);

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
