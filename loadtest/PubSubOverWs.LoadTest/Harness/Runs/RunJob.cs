using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers.Joining;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>The whole plan of a run, decided before anything is started.</summary>
public sealed record RunJob
{
    public required RunRequest Request { get; init; }
    public required Scenario Scenario { get; init; }

    /// <summary>The folder of the record.</summary>
    public required string Folder { get; init; }

    /// <summary>The order of all iterations, as in run.json.</summary>
    public required IReadOnlyList<PlannedIteration> Order { get; init; }

    /// <summary>Trials still to run, in order. Empty: the run was killed after its last row, and only its end is missing.</summary>
    public required IReadOnlyList<Trial> Trials { get; init; }

    /// <summary>run.json of the run that is resumed; null: a new run.</summary>
    public RunRecord? Before { get; init; }

    /// <summary>Rows of the finished blocks of a resumed run.</summary>
    public IReadOnlyList<IterationRow> Recorded { get; init; } = [];

    /// <summary>Blocks that this job runs again.</summary>
    public IReadOnlySet<int> Superseded { get; init; } = new HashSet<int>();

    /// <summary>Load processes that have joined the run, with all its clients; empty: the run starts those that it needs.</summary>
    public IReadOnlyList<JoinedWorker> Joined { get; init; } = [];

    /// <summary>Each target as this run uses it.</summary>
    public IEnumerable<(Target Target, TargetUse Use)> Targets => TargetList.In(Scenario, Request);

    /// <summary>Its processes, and those that are already running, as a dry run describes them.</summary>
    public IEnumerable<string> Processes =>
    [
        .. Targets.SelectMany(one => one.Target.Processes(one.Use)),
        .. Request.Join is not null ? [Invariant($"{Scenario.Workers} load processes that join at {Request.Join.EndPoint}")]
            : Scenario.Workers > 1 ? [Invariant($"{Scenario.Workers} load processes that share the clients")]
            : Array.Empty<string>(),
        .. Request.Client == ClientKind.Browser ? ["Chromium with one page that has the clients"] : Array.Empty<string>(),
    ];

    public bool StartsServers => Scenario.Arms.Any(arm => Request.AddressOf(arm) is null);

    /// <summary>The queue of its arms; null: none has one.</summary>
    public QueueDescription? Queue => Targets.Select(one => one.Target.Queue(one.Use)).FirstOrDefault(queue => queue is not null);

    /// <summary>The expected cost of the queue; null: it is free, and no price was given.</summary>
    public QueueBill? Bill => Targets
        .Select(one => one.Target.Bill(one.Use, [.. Trials.Where(trial => trial.Arm.Target == one.Target.Name)], Expected))
        .FirstOrDefault(bill => bill is not null);

    /// <summary>Requests in the recorded part; null: unknown, which makes the total unknown.</summary>
    public long? CallsMade => Recorded.Count > 0 ? Before?.Bill?.Made : 0;

    /// <summary>The expected duration, estimated from users and levels; with all warm-ups that arms may have.</summary>
    public TimeSpan Expected => TimeLeft.For(Trials, BlockCount);

    /// <summary>The same without the warm-ups that arms have only while they are not steady.</summary>
    public TimeSpan ExpectedIfSteady => TimeLeft.For(Trials.Where(trial => !trial.IsOptional(Scenario)), BlockCount);

    /// <summary>True: whether all <see cref="Trials"/> run depends on how soon arms are steady.</summary>
    public bool IsAtMost => Trials.Any(trial => trial.IsOptional(Scenario));

    /// <summary>The size of the samples of <see cref="Trials"/>, estimated: most of the record.</summary>
    public long RecordBytes => Scenario.Kind.KeepsSamples ? Trials.Sum(trial => Scenario.Sends(trial.Level)) * BytesPerAttempt : 0;

    // The size of a row of samples after gzip, measured on a full run.
    private const int BytesPerAttempt = 24;

    /// <summary>An estimate without measurements of this run.</summary>
    public TimeLeft TimeLeft => new(
        Scenario, DrainWait,
        Scenario.Arms.DistinctBy(arm => Scenario.SetUp(arm).NameFor(arm)).Sum(arm => Scenario.SetUp(arm).Servers - 1));

    /// <summary>Extra time of each trial with a distant queue, whose counts are trusted only after several looks.</summary>
    public TimeSpan DrainWait => Request.Queue.Looks.Shortest - DrainLooks.Near.Shortest;

    public int BlockCount => Trials.Select(trial => trial.Block).Distinct().Count();
}

/// <summary>The command line of <c>run</c>, before any file is read.</summary>
public sealed record RunRequest : TargetOptions
{
    /// <summary>A name or a path; null only with <see cref="Resume"/> and <see cref="SelfTest"/>.</summary>
    public string? Scenario { get; init; }

    public ScenarioChanges Changes { get; init; } = new();

    public string? Out { get; init; }

    public string? Label { get; init; }

    /// <summary>Suffix of the folder's name: <see cref="Label"/>, or the fault that was set; null: none.</summary>
    public string? FolderLabel => Label ?? Changes.Fault;

    /// <summary>The record folder of an interrupted run.</summary>
    public string? Resume { get; init; }

    /// <summary>What has the clients of the load.</summary>
    public ClientKind Client { get; init; }

    public bool DryRun { get; init; }

    /// <summary>The plan of a dry run as JSON.</summary>
    public bool Json { get; init; }

    /// <summary>Injects faults and checks that the accounting finds them; measures nothing.</summary>
    public bool SelfTest { get; init; }

    /// <summary>The record folder for gates that refer to a baseline; null: none.</summary>
    public string? Baseline { get; init; }

    /// <summary>The file for the gates as JUnit XML; null: none.</summary>
    public string? JUnit { get; init; }

    public bool Plain { get; init; }

    /// <summary>Load processes that are started elsewhere join the run, and have all clients; null: none do.</summary>
    public JoinOptions? Join { get; init; }

    /// <summary>The port of the live page on loopback, 0 for any that is free; null: there is no page.</summary>
    public int? Live { get; init; }
}
