using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record;

/// <summary>Records for tests to change with <c>with</c>.</summary>
internal static class Some
{
    public static OneWayScenario Scenario { get; } = new() { Name = "paper", Users = [50, 100], Iterations = 6, Blocks = 2, WarmUps = 1 };

    public static RunRecord Run { get; } = RunOf(Scenario);

    /// <summary>A scenario of the first experiment as what it is.</summary>
    public static OneWayScenario OneWay(this Scenario scenario) => (OneWayScenario)scenario;

    public static PubSubOverWs.Report.Gates.Gate Gate(string text) =>
        PubSubOverWs.Report.Gates.Gate.Parse(text, Scenario);

    public static Level Level(int users) => OneWayScenario.OfUsers(users);

    /// <summary>The arm of this name, or the floor.</summary>
    public static Arm Arm(string name) => Relays.Find(name) ?? PubSubOverWs.Record.Scenarios.Arm.Floor;

    /// <summary>The same before its end: not all that is planned is there.</summary>
    public static RunRecord Underway { get; } = Run with { Ended = null, Complete = false };

    public static RunRecord RunOf(Scenario scenario) => new()
    {
        Started = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
        Ended = new DateTimeOffset(2026, 1, 2, 3, 14, 5, TimeSpan.Zero),
        Complete = true,
        Scenario = scenario,
        SetUp = new SetUp
        {
            OwnServers = true,
            SharedMachine = true,
            Queue = "LocalSqs (in memory)",
            Pinned = [new PinnedProcess("direct", "1"), new PinnedProcess("load", "0")],
        },
        Machine = new MachineRecord
        {
            Commit = "0123456789abcdef",
            Os = "Linux 6.1",
            Architecture = "x64",
            Cpu = "A processor",
            Cores = 2,
            MemoryBytes = 8L << 30,
            Runtime = ".NET 10.0.0",
            CollectorMode = "server, concurrent",
            Limits = new SortedDictionary<string, string> { ["open files"] = "65536" },
        },
        Checks = new RunChecks(QueueAlive: true),
        Order = RunPlan.For(scenario),
    };

    /// <summary>An iteration in which everything arrived.</summary>
    public static IterationRow Row(string arm, int users, int block, int iteration, double meanUs = 10_000) => new()
    {
        Arm = arm,
        Level = Some.Level(users),
        Block = block,
        Iteration = iteration,
        Order = iteration,
        Start = TimeSpan.FromSeconds(iteration),
        Connect = TimeSpan.FromMilliseconds(30),
        Burst = TimeSpan.FromMilliseconds(20),
        Drain = TimeSpan.FromMilliseconds(300),
        DrainState = DrainState.Proven,
        Connections = users,
        ScheduleLagP99 = TimeSpan.FromMicroseconds(1234.5),
        LateSends = 0,
        Buckets = new Buckets { Attempts = users, Delivered = users },
        Drops = new ServerDrops(0, 0, 0),
        ClientBytes = new ClientBytes(100L * users, 150L * users, 4L * users, 254L * users),
        Queue = arm == Relays.PubSub
            ? new QueueTraffic(new(users, 20, users, 0, 3), 4, new(400L * users, 2000, 120L * users, 0, 600), 90L * users)
            : default,
        Cpu = new CpuTimes(
            TimeSpan.FromMilliseconds(5), arm == Relays.PubSub ? TimeSpan.FromMilliseconds(4) : null, TimeSpan.FromMilliseconds(6),
            TimeSpan.Zero),
        Collections = 0,
        FromDue = Latency(users, meanUs + 100),
        FromSent = Latency(users, meanUs),
    };

    /// <summary>The row as one of this scenario.</summary>
    public static IterationRow Of(this IterationRow row, Scenario scenario) =>
        row with { Flows = row.Flows.With(flow => flow with { Flow = scenario.Flows.Single() }) };

    public static LatencySummary Latency(int count, double meanUs) => new()
    {
        Count = count,
        Mean = meanUs,
        StandardDeviation = 123.25,
        RestrictedMean = meanUs,
        P50 = meanUs - 1,
        Max = meanUs * 2,
        Min = 0.1,
    };

    public static Attempt Attempt(int number) => new(
        $"message-{number}", number, number, TimeSpan.Zero, TimeSpan.FromTicks(12_345), null, TimeSpan.FromTicks(98_765), Outcome.Delivered,
        Cause.None);
}

/// <summary>A folder of its own for one test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("record-").FullName;

    public string Of(string name) => System.IO.Path.Combine(Path, name);

    /// <summary>Copies all files below one folder to another, which is made if it is not there, and has none of them.</summary>
    public static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            var copy = System.IO.Path.Combine(to, System.IO.Path.GetRelativePath(from, file));
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
