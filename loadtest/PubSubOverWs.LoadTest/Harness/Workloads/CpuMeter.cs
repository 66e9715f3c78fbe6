using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>The CPU time of all processes of an arm, its load and what idles beside it, between two moments.</summary>
public sealed class CpuMeter
{
    private readonly RunningTarget _server;
    private readonly (int Servers, int Queue) _starts;
    private readonly CpuTimes _before;

    private CpuMeter(RunningTarget server)
    {
        _server = server;
        _starts = Starts;
        _before = Read();
    }

    public static CpuMeter Start(RunningTarget server) => new(server);

    /// <summary>Null for processes that were restarted meanwhile: what their predecessors used at the end is unknown.</summary>
    public CpuTimes Stop()
    {
        var now = Read();
        var starts = Starts;
        return new CpuTimes(
            starts.Servers == _starts.Servers ? now.Server - _before.Server : null,
            starts.Queue == _starts.Queue ? now.Queue - _before.Queue : null,
            now.Load - _before.Load,
            now.Idle - _before.Idle);
    }

    private (int Servers, int Queue) Starts => (_server.Servers.Starts, _server.Queue?.Process?.Starts ?? 0);

    private CpuTimes Read() => new(
        _server.Servers.Cpu,
        _server.Queue?.Process?.Use.Cpu,
        ProcessUse.OfThisProcess().Cpu + (LoadProcesses.Cpu(_server.LoadProcesses) ?? TimeSpan.Zero) + Sum(_server.ProxyProcesses)
            + (_server.Page?.Use.Cpu ?? TimeSpan.Zero),
        _server.Idle.Count == 0 ? null : Sum(_server.Idle));

    private static TimeSpan Sum(IReadOnlyList<ChildServer> processes) =>
        processes.Aggregate(TimeSpan.Zero, (sum, one) => sum + one.Use.Cpu);
}
