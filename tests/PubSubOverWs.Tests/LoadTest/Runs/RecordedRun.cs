using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Runs;
using PubSubOverWs.Tests.Experiment;
using PubSubOverWs.Tests.LoadTest.Network.Toxics;

namespace PubSubOverWs.Tests.LoadTest.Runs;

/// <summary>A record folder of a run with two blocks of one pair each, made here and cut after as many rows as a test asks for.</summary>
public sealed class RecordedRun : IDisposable
{
    public static OneWayScenario Scenario { get; } = new()
    { Name = "tiny", Users = [1], Iterations = 2, Blocks = 2, WarmUps = 0, Floor = false, Gates = ["direct.loss == 0"] };

    public string Folder { get; } = Directory.CreateTempSubdirectory("record-").FullName;

    /// <param name="request">With what it was started; null: with its own servers and LocalSqs.</param>
    public RecordedRun(int rows, bool complete = false, RunRequest? request = null, Func<RunRecord, RunRecord>? change = null)
    {
        var order = RunPlan.For(Scenario);
        var job = new RunJob
        { Request = request ?? new RunRequest(), Scenario = Scenario, Folder = Folder, Order = order, Trials = Trial.Of(Scenario, order) };
        var run = RunDescription.Start(
            job, PinningPlan.ForThisMachine(Scenario.Pinning), new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero)) with
        { Complete = complete };
        using var writer = RecordWriter.Create(Folder, change?.Invoke(run) ?? run);
        foreach (var trial in job.Trials.Take(rows))
            writer.Add(Row(trial.Arm.Name, trial.Block, trial.Iteration, trial.Order), [Delivered], []);
    }

    /// <summary>For another run: no two have one start.</summary>
    public static RunRecord ADayLater(RunRecord run) => run with { Started = run.Started.AddDays(1) };

    private static Attempt Delivered { get; } = new(
        "id", 0, 0, TimeSpan.Zero, TimeSpan.Zero, null, TimeSpan.FromMilliseconds(1), Outcome.Delivered, Cause.None);

    public static IterationRow Row(string arm, int block, int iteration, int order) => new()
    {
        Arm = arm,
        Level = Some.Level(1),
        Block = block,
        Iteration = iteration,
        Order = order,
        Start = TimeSpan.FromSeconds(order),
        Connect = TimeSpan.Zero,
        Burst = TimeSpan.FromMilliseconds(1),
        Drain = TimeSpan.Zero,
        DrainState = DrainState.Proven,
        Connections = 1,
        LateSends = 0,
        Buckets = new Buckets { Attempts = 1, Delivered = 1 },
        FromDue = new LatencySummary { Count = 1, Mean = 1000 },
        FromSent = new LatencySummary { Count = 1, Mean = 1000 },
    };

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
