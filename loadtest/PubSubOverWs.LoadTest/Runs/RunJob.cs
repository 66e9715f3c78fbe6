using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Targets;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The whole plan of a run, decided before anything is started.</summary>
public sealed record RunJob
{
    public required RunRequest Request { get; init; }
    public required Scenario Scenario { get; init; }

    /// <summary>Where the record goes.</summary>
    public required string Folder { get; init; }

    /// <summary>The whole plan, as run.json keeps it.</summary>
    public required IReadOnlyList<PlannedIteration> Order { get; init; }

    /// <summary>What is still to run, in order. Empty: a run that was killed after its last row, and only lacks its end.</summary>
    public required IReadOnlyList<Trial> Turns { get; init; }

    /// <summary>run.json of the run that is resumed; null: a new run.</summary>
    public RunRecord? Before { get; init; }

    /// <summary>What the run that is resumed has of finished blocks.</summary>
    public IReadOnlyList<IterationRow> Recorded { get; init; } = [];

    /// <summary>Blocks whose rows are superseded by this job.</summary>
    public IReadOnlySet<int> Superseded { get; init; } = new HashSet<int>();

    /// <summary>Each target as this run uses it.</summary>
    public IEnumerable<(Target Target, TargetUse Use)> Targets => TargetList.In(Scenario, Request);

    public bool StartsServers => Scenario.Arms.Any(arm => !Request.Addresses.ContainsKey(arm.Target));

    /// <summary>The queue of its arms; null: none has one.</summary>
    public QueueDescription? Queue => Targets.Select(one => one.Target.Queue(one.Use)).FirstOrDefault(queue => queue is not null);

    /// <summary>What the queue should cost; null: it is free, and no price was given.</summary>
    public QueueBill? Bill => Targets
        .Select(one => one.Target.Bill(one.Use, [.. Turns.Where(trial => trial.Arm.Target == one.Target.Name)], Expected))
        .FirstOrDefault(bill => bill is not null);

    /// <summary>Requests that the recorded part of the job made; null: not known, and so not known for the whole.</summary>
    public long? CallsMade => Recorded.Count > 0 ? Before?.Bill?.Made : 0;

    /// <summary>The expected duration, estimated from users and levels.</summary>
    public TimeSpan Expected => TimeLeft.For(Turns, BlockCount);

    /// <summary>Estimates without measurements of this run.</summary>
    public TimeLeft TimeLeft => new(
        Scenario, DrainWait,
        Scenario.Arms.DistinctBy(arm => Scenario.SetUp(arm).SharedAs ?? arm.Name).Sum(arm => Scenario.SetUp(arm).Servers - 1));

    /// <summary>The extra time of each trial with a distant queue, until its counts are believed.</summary>
    public TimeSpan DrainWait => Request.Queue.Looks.Shortest - DrainLooks.Near.Shortest;

    public int BlockCount => Turns.Select(trial => trial.Block).Distinct().Count();
}
