using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;
using PubSubOverWs.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Runs;

/// <summary>A record folder of a run with two blocks of one pair each, cut after as many rows as a test asks for.</summary>
public sealed class RecordedRun : IDisposable
{
    public static Scenario Scenario { get; } = new() { Name = "tiny", Users = [1], Iterations = 2, Blocks = 2, WarmUps = 0, Floor = false, Gates = ["direct.loss == 0"] };

    public string Folder { get; } = Directory.CreateTempSubdirectory("record-").FullName;

    public RecordedRun(int rows, bool complete = false, bool ownServers = true, string? commit = null)
    {
        var order = RunPlan.For(Scenario);
        var run = new RunRecord
        {
            Started = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero),
            Complete = complete,
            Scenario = Scenario,
            SetUp = new SetUp { OwnServers = ownServers, SharedMachine = true, Queue = "LocalSqs" },
            Machine = new MachineRecord { Commit = commit ?? BuildInfo.Commit, Os = "Linux", Architecture = "x64", Cpu = "a CPU", Cores = 2, MemoryBytes = 1, Runtime = ".NET", CollectorMode = "server" },
            Order = order,
        };
        using var writer = RecordWriter.Create(Folder, run);
        foreach (var turn in PubSubOverWs.LoadTest.Runs.Turn.Of(order).Take(rows))
            writer.Add(Row(turn.Arm, turn.Block, turn.Iteration, turn.Order), [Delivered], []);
    }

    private static Attempt Delivered { get; } = new(
        "id", 0, 0, TimeSpan.Zero, TimeSpan.Zero, null, TimeSpan.FromMilliseconds(1), Outcome.Delivered, Cause.None);

    public static IterationRow Row(string arm, int block, int iteration, int order) => new()
    {
        Arm = arm,
        Users = 1,
        Block = block,
        Iteration = iteration,
        Order = order,
        Start = TimeSpan.Zero,
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
