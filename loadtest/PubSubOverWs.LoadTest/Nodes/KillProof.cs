namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>
/// Subscribers that acknowledge, at all nodes, and publishers at all nodes; half-way one node is killed. What a publisher heard was taken
/// must come at least once, wherever its subscriber is.
/// </summary>
internal sealed class KillProof(NodesPlan plan, NodeFleet deployment, TimeProvider time)
{
    private const int Killed = 0;

    public async Task<KillFigures> RunAsync(CancellationToken stopping)
    {
        var tally = new Tally(plan.Messages);
        var taken = new bool[plan.Messages];
        var clients = new List<NodeClient>();
        var publishers = new List<NodePublisher>();
        try
        {
            for (var node = 0; node < plan.Nodes; node++)
            {
                var target = await deployment.TargetAsync(node, stopping);
                for (var queue = 0; queue < plan.Queues; queue++)
                    clients.Add(await NodeClient.SubscribeAsync(target, Destination(queue), acknowledges: true, tally, stopping));
                publishers.Add(await NodePublisher.ConnectAsync(target, taken, stopping));
            }
            var started = time.GetTimestamp();
            var again = await PublishAsync(publishers, stopping);
            await Arrivals.WaitAsync(() => IsComplete(taken, tally), () => tally.Arrivals, plan.Patience, time, stopping);
            var acknowledged = Enumerable.Range(0, plan.Messages).Where(number => taken[number]).ToArray();
            return new KillFigures(
                plan.Nodes, plan.Messages, acknowledged.Length, acknowledged.Count(number => tally.Of(number) > 0), again, tally.Arrivals,
                tally.Distinct,
                tally.Unexpected, time.GetElapsedTime(started));
        }
        finally
        {
            publishers.ForEach(publisher => publisher.Dispose());
            clients.ForEach(client => client.Dispose());
        }
    }

    private string Destination(int number) => $"/queue/proof-{number % plan.Queues}";

    private static bool IsComplete(bool[] taken, Tally tally) =>
        Enumerable.Range(0, taken.Length).All(number => !taken[number] || tally.Of(number) > 0);

    /// <summary>
    /// Publishes all; what the killed node did not answer is published again elsewhere, with the same id, as a client would.
    /// </summary>
    /// <returns>How many that were.</returns>
    private async Task<int> PublishAsync(List<NodePublisher> publishers, CancellationToken stopping)
    {
        var again = new HashSet<int>();
        for (var number = 0; number < plan.Messages; number++)
        {
            if (number == plan.Messages / 2)
                await deployment.Nodes[Killed].KillRunningAsync();
            if (!await publishers[number % publishers.Count].SendAsync(Destination(number), number, stopping))
                again.Add(number);
        }
        foreach (var publisher in publishers)
            await publisher.AnsweredAsync(stopping);
        again.UnionWith(publishers[Killed].Unanswered);
        var survivors = publishers.Where((_, node) => node != Killed).ToList();
        foreach (var number in again)
            await survivors[number % survivors.Count].SendAsync(Destination(number), number, stopping);
        foreach (var survivor in survivors)
            await survivor.AnsweredAsync(stopping);
        return again.Count;
    }
}
