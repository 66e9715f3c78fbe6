using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class ServerGroupTests
{
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
