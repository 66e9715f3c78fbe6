using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Network;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

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
        {
            Request = request ?? new RunRequest(),
            Scenario = Scenario,
            Folder = Folder,
            Order = order,
            Trials = Trial.From(Scenario, order),
        };
        var run = RunDescription.Start(
            job, PinningPlan.ForThisMachine(Scenario.Pinning), new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero)) with
        { Complete = complete };
        using var writer = RecordWriter.Create(Folder, change?.Invoke(run) ?? run);
        foreach (var trial in job.Trials.Take(rows))
        {
            if (trial.Order == job.Trials.First(one => one.Block == trial.Block).Order)
                writer.Add(Start(trial));
            writer.Add(Row(trial.Arm.Name, trial.Block, trial.Iteration, trial.Order), [Delivered], []);
        }
    }

    /// <summary>A server starts for the block of this trial.</summary>
    public static EventRow Start(Trial trial) => new(
        TimeSpan.FromSeconds(trial.Order - 0.5), "started", Relays.Direct, "process 1 at http://127.0.0.1:1/");

    /// <summary>For another run: no two have one start.</summary>
    public static RunRecord ADayLater(RunRecord run) => run with { Started = run.Started.AddDays(1) };

    private static Attempt Delivered { get; } = new(
        "id", 0, 0, TimeSpan.Zero, TimeSpan.Zero, null, TimeSpan.FromMilliseconds(1), Outcome.Delivered, Cause.None);

    private static LatencySummary AMillisecond { get; } = new() { Count = 1, Mean = 1000, RestrictedMean = 1000, Max = 1000, Min = 1000 };

    public static IterationRow Row(string arm, int block, int iteration, int order) => new()
    {
        Arm = arm,
        Level = Some.Level(1),
        Block = block,
        Iteration = iteration,
        Order = order,
        Start = TimeSpan.FromSeconds(order),
        Connect = TimeSpan.FromMilliseconds(order),
        Burst = TimeSpan.FromMilliseconds(1),
        Drain = TimeSpan.Zero,
        DrainState = DrainState.Proven,
        Connections = 1,
        ScheduleLagP99 = TimeSpan.Zero,
        LateSends = 0,
        Buckets = new Buckets { Attempts = 1, Delivered = 1 },
        FromDue = AMillisecond,
        FromSent = AMillisecond,
    };

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
