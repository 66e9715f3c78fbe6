using System.Diagnostics;
using PubSubOverWs.LoadTest.Experiments.IdleConnections;
using PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Experiments.IdleConnections.Load;

public sealed class ServerReadingsTests
{
    private const long MiB = 1 << 20;

    [Fact]
    public void Memory_counts_by_connection_and_CPU_by_copy_beyond_what_idle_servers_take()
    {
        // Idle, the servers take 5 % of a core; then 1 s in 20 s, of which that is all.
        var measures = Measures(connections: 10_240, delivered: 50_000);

        Assert.Equal(
            (16.0, 32.0, 260.0, 70.0),
            (measures[IdleConnectionsScenario.PerConnection.Name], measures[IdleConnectionsScenario.PerConnectionAfter.Name],
                measures[IdleConnectionsScenario.Resident.Name], measures[IdleConnectionsScenario.LoadResident.Name]));
        Assert.Equal(5, measures[IdleConnectionsScenario.IdleCpu.Name]!.Value, 1e-9);
        Assert.Equal(20, measures[IdleConnectionsScenario.CpuPerDelivery.Name]!.Value, 1e-3);
    }

    [Fact]
    public void A_reading_that_was_not_taken_gives_no_values()
    {
        var measures = ServerReadings.Measures(100 * MiB, [At(0, 3, 180, 50)], connections: 10, delivered: 20, lastCopy: 0);

        Assert.All(measures.Values, value => Assert.Null(value));
    }

    [Fact]
    public void Without_connections_or_deliveries_nothing_is_divided_by_them()
    {
        var measures = Measures(connections: 0, delivered: 0);

        Assert.Null(measures[IdleConnectionsScenario.PerConnection.Name]);
        Assert.Null(measures[IdleConnectionsScenario.CpuPerDelivery.Name]);
    }

    [Fact]
    public void A_last_reading_before_the_last_copy_came_gives_no_values()
    {
        var measures = Measures(connections: 10, delivered: 20, ticksLate: 1);

        Assert.NotNull(measures[IdleConnectionsScenario.PerConnection.Name]);
        Assert.Null(measures[IdleConnectionsScenario.PerConnectionAfter.Name]);
        Assert.Null(measures[IdleConnectionsScenario.CpuPerDelivery.Name]);
    }

    [Fact]
    public async Task Memory_before_the_first_client_is_that_when_the_block_began_for_every_trial()
    {
        var target = await ClientTarget.ResolveAsync(new Uri("http://127.0.0.1:1"), CancellationToken.None);
        using var servers = new ServerGroup(
            [new GroupMember("t", target, Stats: null, Process: null) { ReadUse = () => ProcessUse.Read(Environment.ProcessId) }]);
        servers.ReadBefore();
        var first = new ServerReadings(servers, []);
        var held = new byte[64 * MiB];
        held.AsSpan().Fill(1);
        first.Take();
        var second = new ServerReadings(servers, []);
        GC.KeepAlive(held);

        Assert.Equal(first.Before, second.Before);
        Assert.InRange(Assert.Single(first.Taken).Servers!.Value, 1, long.MaxValue);
    }

    private static Dictionary<string, double?> Measures(int connections, long delivered, long ticksLate = 0) => ServerReadings.Measures(
        100 * MiB, [At(0, 3, 180, 50), At(10, 3.5, 260, 70), At(30, 5.5, 420, 90)], connections, delivered,
        At(30, 0, 0, 0).Stamp + ticksLate);

    private static ServerReading At(double seconds, double cpu, long servers, long load) =>
        new((long)(seconds * Stopwatch.Frequency), TimeSpan.FromSeconds(cpu), servers * MiB, load * MiB);
}
