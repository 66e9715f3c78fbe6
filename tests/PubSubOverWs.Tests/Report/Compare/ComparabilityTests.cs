using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Compare;

public sealed class ComparabilityTests
{
    private static readonly RunFolder Run = MeasuredRun.Of(MeasuredRun.Before);

    private static readonly RunFolder Before = MeasuredRun.Earlier(Run);

    public static TheoryData<string, Func<OneWayScenario, OneWayScenario>> Settings => new()
    {
        { "name: paper in A, other in B", scenario => scenario with { Name = "other" } },
        { "arms: [\"direct\",\"pubsub\"] in A, [\"direct\"] in B", scenario => scenario with { Arms = Relays.Named(Relays.Direct) } },
        { "users: [50,1000] in A, [50] in B", scenario => scenario with { Users = [50] } },
        { "arrival: burst in A, spread:2s in B", scenario => scenario with { Arrival = Arrival.Parse("spread:2s") } },
        { "deadline: 10s in A, 5s in B", scenario => scenario with { Deadline = TimeSpan.FromSeconds(5) } },
        { "payloadBytes: 100 in A, 200 in B", scenario => scenario with { PayloadBytes = 200 } },
        { "receipts: False in A, True in B", scenario => scenario with { Receipts = true } },
        { "queueLatency: none in A, aws in B", scenario => scenario with { QueueLatency = QueueLatency.Aws } },
        { "pubsubNodes: 1 in A, 2 in B", scenario => scenario with { PubSubNodes = 2 } },
        { "warmUps: 0 in A, 1 in B", scenario => scenario with { WarmUps = 1 } },
        { "floor: False in A, True in B", scenario => scenario with { Floor = true } },
        { "pinning: True in A, False in B; pinned in fact: yes in A, no in B", scenario => scenario with { Pinning = false } },
    };

    public static TheoryData<string, Func<RunRecord, RunRecord>> Circumstances => new()
    {
        { "queue: LocalSqs (in memory) in A, SQS, eu-west-1 in B",
            run => run with { SetUp = run.SetUp with { Queue = "SQS, eu-west-1" } } },
        { "SQS client: http in A, aws-sdk in B", run => run with { SetUp = run.SetUp with { SqsClient = "aws-sdk" } } },
        { "clients: own in A, browser in B", run => run with { SetUp = run.SetUp with { Client = ClientKind.Browser } } },
        { "servers: started by the run in A, already there in B", run => run with { SetUp = run.SetUp with { OwnServers = false } } },
        { "load and servers: on one machine in A, on different machines in B",
            run => run with { SetUp = run.SetUp with { SharedMachine = false } } },
        { "pinned in fact: yes in A, no in B", run => run with { SetUp = run.SetUp with { NotPinnedBecause = "there is one core" } } },
        { "processor: A processor in A, Another in B", run => run with { Machine = run.Machine with { Cpu = "Another" } } },
        { "cores: 2 in A, 4 in B", run => run with { Machine = run.Machine with { Cores = 4 } } },
        { "system: Linux in A, Darwin in B", run => run with { Machine = run.Machine with { Os = "Darwin 23.1" } } },
        { "architecture: x64 in A, arm64 in B", run => run with { Machine = run.Machine with { Architecture = "arm64" } } },
        { "memory: 8192 MiB in A, 4096 MiB in B", run => run with { Machine = run.Machine with { MemoryBytes = 4L << 30 } } },
        { "B is incomplete", run => run with { Complete = false } },
        { "B is invalid (servers alive all along)", run => run with { Checks = run.Checks with { ServersAlive = false } } },
    };

    [Theory]
    [MemberData(nameof(Settings))]
    public void Every_difference_that_changes_the_measurement_is_named(string obstacle, Func<OneWayScenario, OneWayScenario> change)
    {
        var other = Run with { Run = Run.Run with { Scenario = change(Run.Run.Scenario.OneWay()) } };
        Assert.Equal(obstacle, string.Join("; ", Comparability.Obstacles(Before, other)));
    }

    [Theory]
    [MemberData(nameof(Circumstances))]
    public void Another_queue_another_class_of_machine_and_a_worthless_run_are_named(string obstacle, Func<RunRecord, RunRecord> change) =>
        Assert.Equal(obstacle, string.Join("; ", Comparability.Obstacles(Before, Run with { Run = change(Run.Run) })));

    [Fact]
    public void Differences_that_do_not_change_the_measurement_do_not_prevent_a_comparison()
    {
        var scenario = Run.Run.Scenario with
        {
            Arms = Relays.Named(Relays.PubSub, Relays.Direct),
            Iterations = 12,
            Blocks = 4,
            Seed = 7,
            Gates = ["pubsub.loss == 0"],
            Margins = new Margins(Latency: Margin.OfLatency("10%")),
            Quick = QuickForm.From(("users", "[50]"), ("iterations", "1"), ("blocks", "1")),
        };
        var machine = Run.Run.Machine with { Commit = "another", Runtime = ".NET 10.0.9", Os = "Linux 6.12", MemoryBytes = 7L << 30 };
        var other = Run with { Run = Run.Run with { Scenario = scenario, Machine = machine, Label = "other" } };
        Assert.Empty(Comparability.Obstacles(Before, other));
    }

    [Fact]
    public void A_run_and_its_copy_are_one_run_under_whatever_label()
    {
        var copy = Run with { Run = Run.Run with { Label = "copy" } };
        Assert.Equal(["A and B are one run, started at 2026-01-02 03:04:05 UTC"], Comparability.Obstacles(Run, copy));
    }

    [Fact]
    public void Each_run_needs_two_blocks_of_its_own_servers()
    {
        Assert.Empty(Repetitions.Lacking(Run, Run));
        var once = MeasuredRun.Of(MeasuredRun.Before, MeasuredRun.Scenario with
        { Iterations = 5, Blocks = 1, Arms = Relays.Named(Relays.Direct) });
        Assert.Equal(["B has 5 iterations in 1 block of direct at 50, 1000 users"], Repetitions.Lacking(Run, once));
        var strangers = Run with { Run = Run.Run with { SetUp = Run.Run.SetUp with { OwnServers = false } } };
        Assert.Equal("A has 9 iterations in 1 block of direct at 50, 1000 users", Repetitions.Lacking(strangers, Run)[0]);
    }
}
