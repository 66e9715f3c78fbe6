using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;

namespace PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;

/// <summary>CPU time and memory of the servers, and memory of the load, at the moments of a trial.</summary>
public sealed class ServerReadings
{
    private const double KiB = 1 << 10;
    private const double MiB = 1 << 20;

    private readonly ServerGroup _servers;
    private readonly IReadOnlyList<ILoadProcess> _load;
    private readonly List<ServerReading> _taken = [];

    /// <param name="servers">No client has connected to them in this trial.</param>
    public ServerReadings(ServerGroup servers, IReadOnlyList<ILoadProcess> load) =>
        (_servers, _load, Before) = (servers, load, servers.ResidentBytesBefore);

    /// <summary>Resident memory of the servers before any client of the block; null: this run does not know the processes.</summary>
    public long? Before { get; }

    /// <summary>In the order in which they were taken.</summary>
    public IReadOnlyList<ServerReading> Taken => _taken;

    /// <summary>
    /// The first is taken when connections begin to be idle, the second at the end of that, and the third when the last message had its
    /// time. One at a time.
    /// </summary>
    public void Take() => _taken.Add(new ServerReading(
        Stopwatch.GetTimestamp(), _servers.Cpu, _servers.ResidentBytes, LoadProcesses.ResidentBytes(_load)));

    /// <inheritdoc cref="Measures(long?, IReadOnlyList{ServerReading}, int, long, long)"/>
    public Dictionary<string, double?> Measures(int connections, long delivered, long lastCopy) =>
        Measures(Before, _taken, connections, delivered, lastCopy);

    /// <summary>What readings say; no values where some were not taken or this run does not know the processes.</summary>
    /// <param name="before">Resident memory of the servers before any client.</param>
    /// <param name="taken">As <see cref="Take"/> takes them.</param>
    /// <param name="lastCopy">When the last copy came, a stamp of <see cref="Stopwatch"/>: a third reading before it says nothing.</param>
    public static Dictionary<string, double?> Measures(
        long? before, IReadOnlyList<ServerReading> taken, int connections, long delivered, long lastCopy)
    {
        var from = At(0);
        var idle = At(1);
        var end = At(2) is { } last && last.Stamp >= lastCopy ? last : null;
        var share = (idle?.Cpu - from?.Cpu) / Elapsed(from, idle);
        var messages = end?.Cpu - idle?.Cpu - (share * Elapsed(idle, end));
        return new()
        {
            [IdleConnectionsScenario.PerConnection.Name] = PerConnection(idle),
            [IdleConnectionsScenario.PerConnectionAfter.Name] = PerConnection(end),
            [IdleConnectionsScenario.Resident.Name] = idle?.Servers / MiB,
            [IdleConnectionsScenario.LoadResident.Name] = idle?.Load / MiB,
            [IdleConnectionsScenario.IdleCpu.Name] = 100 * share,
            [IdleConnectionsScenario.CpuPerDelivery.Name] = delivered == 0 ? null : messages?.TotalMicroseconds / delivered,
        };

        ServerReading? At(int moment) => moment < taken.Count ? taken[moment] : null;

        double? PerConnection(ServerReading? reading) => connections == 0 ? null : (reading?.Servers - before) / KiB / connections;
    }

    private static TimeSpan? Elapsed(ServerReading? from, ServerReading? until) =>
        from is null || until is null ? null : Stopwatch.GetElapsedTime(from.Stamp, until.Stamp);
}

/// <summary>At one moment.</summary>
/// <param name="Stamp">Of <see cref="Stopwatch"/>.</param>
/// <param name="Cpu">Time of all servers so far; null: this run does not know them.</param>
/// <param name="Servers">Their resident memory in bytes; null likewise.</param>
/// <param name="Load">Resident memory of the load processes in bytes; null: this run does not know them.</param>
public sealed record ServerReading(long Stamp, TimeSpan? Cpu, long? Servers, long? Load);
