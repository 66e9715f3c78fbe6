using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What is to be done, decided to the last iteration before anything is started.</summary>
public sealed record RunJob
{
    public required RunRequest Request { get; init; }

    public required RelayScenario Scenario { get; init; }

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

    /// <summary>The scenario, where the load is users who send one way.</summary>
    public OneWayScenario OneWay => (OneWayScenario)Scenario;

    public bool StartsDirect => Scenario.Runs(Arms.Direct) && Request.Direct is null;

    public bool StartsPubSub => Scenario.Runs(Arms.PubSub) && Request.PubSub is null;

    /// <summary>Where the servers of an arm are: those of the run, or the one that was already there.</summary>
    public IReadOnlyList<Uri> AddressesOf(Arm arm, IReadOnlyList<ChildServer> started) =>
        started.Count > 0
            ? [.. started.Select(server => server.Address)]
            : [arm.HasQueue ? Request.PubSub! : Request.Direct!];

    /// <summary>How long it should take, guessed from users and levels.</summary>
    public TimeSpan Expected => TimeLeft.For(Turns, BlockCount);

    /// <summary>Knows nothing yet of what this run's turns take.</summary>
    public TimeLeft TimeLeft => new(Scenario, DrainWait, Scenario.PubSubNodes - 1, Cost.Waiting(Scenario));

    /// <summary>How much longer than with a queue nearby a turn of pubsub takes at least: until this queue's counts are believed.</summary>
    public TimeSpan DrainWait => Request.Queue.Looks.Shortest - DrainLooks.Near.Shortest;

    public int BlockCount => Turns.Select(trial => trial.Block).Distinct().Count();
}
