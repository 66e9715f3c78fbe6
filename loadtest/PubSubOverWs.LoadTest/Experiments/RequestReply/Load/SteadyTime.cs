using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>The time from the first counted request until the last is due or the load gives up, and the CPU of both sides.</summary>
/// <param name="servers">Whose CPU and memory it is.</param>
/// <param name="loadProcesses">They have the clients, besides this process.</param>
public sealed class SteadyTime(ServerGroup servers, IReadOnlyList<ChildServer> loadProcesses)
{
    private readonly Lock _gate = new();
    private (long Stamp, TimeSpan? Server, TimeSpan Load)? _begun;
    private (long Stamp, TimeSpan? Server, TimeSpan Load)? _ended;

    /// <summary>
    /// Stamps of <see cref="Stopwatch"/>; null: it never began, or ended within <see cref="Validity.ShortestMeasured"/>.
    /// </summary>
    public (long From, long Until)? Span =>
        (_begun, _ended) is ({ } begun, { } ended) && Stopwatch.GetElapsedTime(begun.Stamp, ended.Stamp) >= Validity.ShortestMeasured
            ? (begun.Stamp, ended.Stamp)
            : null;

    /// <summary>CPU of all processes of the server; null: this run does not know them.</summary>
    public TimeSpan? ServerCpu => _ended?.Server - _begun?.Server;

    public TimeSpan? LoadCpu => _ended?.Load - _begun?.Load;

    /// <summary>Resident memory of the server at the end; null: this run does not know its processes.</summary>
    public long? ResidentBytes { get; private set; }

    public TimeSpan? Length => Span is { } span ? Stopwatch.GetElapsedTime(span.From, span.Until) : null;

    /// <summary>From any thread; only the first time counts.</summary>
    /// <param name="stamp">The time, as one of <see cref="Stopwatch"/>.</param>
    public void Begin(long stamp)
    {
        lock (_gate)
            _begun ??= At(stamp);
    }

    /// <summary>Likewise, and not before it has begun.</summary>
    /// <param name="stamp">Likewise.</param>
    public void End(long stamp)
    {
        lock (_gate)
        {
            if (_ended is not null || _begun is null)
                return;
            _ended = At(stamp);
            ResidentBytes = servers.ResidentBytes;
        }
    }

    private (long, TimeSpan?, TimeSpan) At(long stamp) => (
        stamp, servers.Cpu,
        loadProcesses.Aggregate(ProcessUse.OfThisProcess().Cpu, (sum, one) => sum + one.Use.Cpu));
}
