using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Load.Children;

namespace PubSubOverWs.LoadTest.Load.Iterations;

/// <summary>The CPU time of all processes that take part, between two moments.</summary>
public sealed class CpuMeter
{
    private readonly ServerUnderTest _server;
    private readonly CpuTimes _before;

    private CpuMeter(ServerUnderTest server)
    {
        _server = server;
        _before = Read();
    }

    public static CpuMeter Start(ServerUnderTest server) => new(server);

    public CpuTimes Stop()
    {
        var now = Read();
        return new CpuTimes(now.Server - _before.Server, now.Queue - _before.Queue, now.Load - _before.Load, now.Idle - _before.Idle);
    }

    private CpuTimes Read() => new(
        _server.Servers.Cpu,
        _server.Queue?.Use.Cpu,
        ProcessUse.OfThisProcess().Cpu,
        _server.Idle.Count == 0 ? null : _server.Idle.Aggregate(TimeSpan.Zero, (sum, idle) => sum + idle.Use.Cpu));
}
