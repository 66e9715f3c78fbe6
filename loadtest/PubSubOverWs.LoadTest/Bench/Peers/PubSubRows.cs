namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>
/// Rows on the pubsub server with the embedded queue, which have no peer. A leg has processes of its own, because one of the rows is about
/// their first seconds.
/// </summary>
internal sealed class PubSubRows(PeersPlan plan, TimeProvider time) : RowBench
{
    private const int Packed = 50;

    private static readonly TimeSpan First = TimeSpan.FromSeconds(3);

    public override IReadOnlyList<PeerRow> Rows { get; } =
        [.. new[] { PeerRow.PubSub, PeerRow.PubSubPacked, PeerRow.PubSubStart }.Where(plan.Has)];

    public override async Task<IReadOnlyList<(PeerRow Row, double Value)>> LegAsync(
        Contender server, CancellationToken cancellationToken)
    {
        List<(PeerRow Row, double Value)> values = [];
        if (plan.Has(PeerRow.PubSub) || plan.Has(PeerRow.PubSubStart))
        {
            var (start, warm) = await MeasureAsync(server, pack: 1, cancellationToken);
            values.Add((PeerRow.PubSub, PerCpuSecond(warm)));
            values.Add((PeerRow.PubSubStart, start / warm.MessagesPerSecond));
        }

        if (plan.Has(PeerRow.PubSubPacked))
            values.Add((PeerRow.PubSubPacked, PerCpuSecond((await MeasureAsync(server, Packed, cancellationToken)).Warm)));
        return [.. values.Where(value => plan.Has(value.Row))];
    }

    public override TimeSpan Estimate(IReadOnlyList<Contender> servers)
    {
        var once = TimeSpan.FromSeconds(3) + First + plan.WarmUp + plan.Leg + (2 * LegRunner.WarmUp);
        var times = (plan.Has(PeerRow.PubSub) || plan.Has(PeerRow.PubSubStart) ? 1 : 0) + (plan.Has(PeerRow.PubSubPacked) ? 1 : 0);
        return servers.Count * plan.Pairs * times * once;
    }

    private static double PerCpuSecond(Leg leg) => leg.Messages / (leg.ServerCpuSeconds + leg.QueueCpuSeconds!.Value);

    /// <summary>Round trips a second of the first seconds, and a leg after them and a warm-up.</summary>
    private async Task<(double Start, Leg Warm)> MeasureAsync(Contender server, int pack, CancellationToken cancellationToken)
    {
        var children = PeersPlan.Of(server.Name, pack);
        await using var queue = await BenchChildren.StartQueueAsync(cancellationToken);
        await using var running = await BenchChildren.StartPubSubAsync(queue, children, cancellationToken);
        var ready = time.GetTimestamp();
        var runner = new LegRunner(running, queue, time);
        var load = new LoadShape(plan.Connections, plan.Depth, plan.PayloadBytes, StompDialect.Create);

        // The clients connect within these seconds, as they would.
        var first = await runner.RunAsync(load, TimeSpan.Zero, () => First - time.GetElapsedTime(ready), cancellationToken);
        await runner.RunAsync(load, plan.WarmUp, cancellationToken);
        return (first.Messages / First.TotalSeconds, await runner.RunAsync(load, plan.Leg, cancellationToken));
    }
}
