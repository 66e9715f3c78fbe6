using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>
/// Rows on connections that do nothing: memory, CPU, and how fast they are opened. A leg has a process of its own, because one that had
/// connections before keeps memory for the next.
/// </summary>
internal sealed class IdleRows(PeersPlan plan, TimeProvider time) : RowBench
{
    public override IReadOnlyList<PeerRow> Rows { get; } =
        [.. new[] { PeerRow.IdleMemory, PeerRow.IdleCpu, PeerRow.Connects }.Where(plan.Has)];

    public override async Task<IReadOnlyList<(PeerRow Row, double Value)>> LegAsync(
        Contender server, CancellationToken cancellationToken)
    {
        List<(PeerRow Row, double Value)> values = [];
        var load = new LoadShape(plan.IdleConnections, Depth: 1, plan.PayloadBytes, server.Dialect);
        await using var running = await server.StartAsync(cancellationToken);
        var target = await ClientTarget.ResolveAsync(running.Address, cancellationToken);
        await Task.Delay(plan.Rest, time, cancellationToken);
        var before = running.Use.ResidentBytes;
        using (var connections = new IdleConnections(target, load))
        {
            await connections.OpenAsync();
            await connections.IdleAsync(plan.Rest, time, cancellationToken);
            if (Measures(PeerRow.IdleMemory))
                values.Add((PeerRow.IdleMemory, (running.Use.ResidentBytes - before) / 1024.0 / plan.IdleConnections));
            if (Measures(PeerRow.IdleCpu))
            {
                var (stamp, cpu) = (time.GetTimestamp(), running.Use.Cpu);
                await connections.IdleAsync(plan.Idle, time, cancellationToken);
                values.Add((PeerRow.IdleCpu, (running.Use.Cpu - cpu).TotalMilliseconds / time.GetElapsedTime(stamp).TotalSeconds));
            }
        }

        if (!Measures(PeerRow.Connects))
            return values;

        // Once more: during the first connections the process still compiles.
        await Task.Delay(plan.Rest, time, cancellationToken);
        using var again = new IdleConnections(target, load);
        return [.. values, (PeerRow.Connects, plan.IdleConnections / (await again.OpenAsync()).TotalSeconds)];

        bool Measures(PeerRow row) => plan.Has(row) && Has(row, server);
    }

    public override TimeSpan Estimate(IReadOnlyList<Contender> servers)
    {
        // At 5,000 connections a second, opened twice.
        var always = TimeSpan.FromSeconds(1.5 + (plan.IdleConnections / 2_500.0)) + (3 * plan.Rest);
        var idle = plan.Has(PeerRow.IdleCpu) ? servers.Count(server => Has(PeerRow.IdleCpu, server)) * plan.Idle : TimeSpan.Zero;
        return plan.Pairs * ((servers.Count * always) + idle);
    }
}
