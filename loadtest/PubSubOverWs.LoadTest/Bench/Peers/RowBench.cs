using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>Measures one row, or several that one leg yields.</summary>
internal abstract class RowBench : IAsyncDisposable
{
    /// <summary>Those of the plan, in the order of the table.</summary>
    public abstract IReadOnlyList<PeerRow> Rows { get; }

    /// <summary>Measures one server once.</summary>
    /// <returns>A value for each row that this server is in.</returns>
    /// <exception cref="ChildException">It did not start, or cut a connection.</exception>
    public abstract Task<IReadOnlyList<(PeerRow Row, double Value)>> LegAsync(Contender server, CancellationToken cancellationToken);

    /// <summary>How long all pairs take, about.</summary>
    /// <param name="servers">That take part.</param>
    public abstract TimeSpan Estimate(IReadOnlyList<Contender> servers);

    public virtual ValueTask DisposeAsync() => ValueTask.CompletedTask;

    public bool Has(Contender server) => Rows.Any(row => Has(row, server));

    protected static bool Has(PeerRow row, Contender server) => server.IsOurs || row.Peers.Contains(server.Name);
}

/// <summary>Rows on CPU under load: the servers run all the time, and are loaded in turn.</summary>
internal sealed class CpuRow(PeersPlan plan, PeerRow row, Writes writes, TimeProvider time) : RowBench
{
    private readonly Dictionary<string, (IServerUnderLoad Server, LegRunner Runner)> _running = [];

    public override IReadOnlyList<PeerRow> Rows { get; } = [row];

    public override async Task<IReadOnlyList<(PeerRow Row, double Value)>> LegAsync(
        Contender server, CancellationToken cancellationToken)
    {
        var load = new LoadShape(plan.Connections, plan.Depth, plan.PayloadBytes, server.Dialect) { Writes = writes };
        if (!_running.TryGetValue(server.Name, out var running))
        {
            var started = await server.StartAsync(cancellationToken);
            var access = (started as SecureServer)?.Access ?? ServerAccess.None;
            _running[server.Name] = running = (started, new LegRunner(started, queue: null, time) { Access = access });
            await running.Runner.RunAsync(load, plan.WarmUp, cancellationToken);
        }

        var leg = await running.Runner.RunAsync(load, plan.Leg, cancellationToken);
        return leg.Missing == 0
            ? [(row, leg.ServerMicroseconds)]
            : throw new ChildException($"{leg.Missing} messages did not come back from {server.Name}.");
    }

    public override TimeSpan Estimate(IReadOnlyList<Contender> servers) =>
        servers.Count * (TimeSpan.FromSeconds(1) + LegRunner.WarmUp + plan.WarmUp + (plan.Pairs * (plan.Leg + LegRunner.WarmUp)));

    public override async ValueTask DisposeAsync()
    {
        foreach (var (server, _) in _running.Values)
            await server.DisposeAsync();
        await base.DisposeAsync();
    }
}
