using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class BlockProcessesTests
{
    private static readonly Arm[] Arms = [new("a", Arm.Elsewhere), new("b", Arm.Elsewhere), new("c", Arm.Elsewhere)];

    private static readonly TargetOptions Addresses = new()
    {
        Elsewhere = Arms.Select((arm, i) => (arm.Name, Address: new Uri($"stomp+ws://127.0.0.1:{5001 + i}/ws")))
            .ToDictionary(one => one.Name, one => one.Address),
    };

    [Fact]
    public async Task Arms_are_opened_in_their_order()
    {
        await using var block = Block();
        var opened = await block.OpenAllAsync(Arms, _ => null, CancellationToken.None, hasStats: false);

        Assert.Equal(Arms, opened.Select(one => one.Arm));
        Assert.Equal([5001, 5002, 5003], opened.Select(one => one.Servers.TargetOf(0).EndPoint.Port));
    }

    // The program of the second arm is missing, so that its start fails. Starts at the same time would ask for all commands first.
    [Fact]
    public async Task An_arm_is_started_only_when_the_one_before_it_is_open()
    {
        await using var block = Block();
        var asked = new List<Arm>();
        var missing = new ChildCommand("none", "no-such-program.dll", []);

        await Assert.ThrowsAsync<ChildException>(() => block.OpenAllAsync(
            Arms,
            arm =>
            {
                asked.Add(arm);
                return arm == Arms[1] ? missing : null;
            },
            CancellationToken.None, hasStats: false));

        Assert.Equal(Arms[..2], asked);
    }

    [Fact]
    public async Task Users_are_spread_over_the_servers_one_after_the_other()
    {
        using var group = await GroupAsync(3);

        Assert.Equal([5001, 5002, 5003, 5001, 5002], Enumerable.Range(0, 5).Select(user => group.TargetOf(user).EndPoint.Port));
    }

    [Fact]
    public async Task Stats_are_kept_by_server()
    {
        using var group = await GroupAsync(2);

        Assert.Equal(
            [new ServerStats("pubsub-1", "a", "c"), new ServerStats("pubsub-2", "b", null)],
            group.Between(["a", "b"], ["c", null]));
    }

    [Fact]
    public async Task Held_messages_and_CPU_time_of_servers_without_stats_are_unknown()
    {
        using var group = await GroupAsync(2);

        Assert.False(group.HasStats);
        Assert.Null(await group.HeldAsync(CancellationToken.None));
        Assert.Null(group.Cpu);
    }

    private static BlockProcesses Block()
    {
        var time = new FakeTime();
        return new BlockProcesses(
            new BlockPlan(ScenarioFiles.Load("request-reply"), Addresses, Number: 1, Queue: "none"),
            new PinningPlan(ServerCore: null, LoadCore: null, WhyNot: "a test"), new EventLog(writer: null, time.GetUtcNow(), time), time);
    }

    private static async Task<ServerGroup> GroupAsync(int servers)
    {
        var members = new List<GroupMember>();
        for (var number = 1; number <= servers; number++)
        {
            var target = await ClientTarget.ResolveAsync(new Uri($"http://127.0.0.1:{5000 + number}"), CancellationToken.None);
            members.Add(new GroupMember($"pubsub-{number}", target, Stats: null, Process: null));
        }

        return new ServerGroup(members);
    }
}
