using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>Subscribers at all nodes, publishers at all nodes: every subscriber gets every message of the topic.</summary>
internal sealed class TopicProof(NodesPlan plan, NodeFleet deployment, TimeProvider time)
{
    private const string Destination = "/topic/proof";
    private const int ConnectsUnderWay = 32;

    /// <summary>Messages that are published before the slowest subscriber has them: what is held in the servers is bounded.</summary>
    private const int Lead = 500;

    public async Task<TopicFigures> RunAsync(CancellationToken stopping)
    {
        var tallies = Enumerable.Range(0, plan.Subscribers).Select(_ => new Tally(plan.Messages)).ToArray();
        var targets = new ClientTarget[plan.Nodes];
        for (var node = 0; node < targets.Length; node++)
            targets[node] = await deployment.TargetAsync(node, stopping);
        var subscribers = new NodeClient?[plan.Subscribers];
        var publishers = new List<NodePublisher>();
        var taken = new bool[plan.Messages];
        try
        {
            var options = new ParallelOptions { MaxDegreeOfParallelism = ConnectsUnderWay, CancellationToken = stopping };
            await Parallel.ForAsync(0, plan.Subscribers, options, async (i, ended) =>
                subscribers[i] = await NodeClient.SubscribeAsync(
                    targets[i % plan.Nodes], Destination, acknowledges: false, tallies[i], ended));
            foreach (var target in targets)
                publishers.Add(await NodePublisher.ConnectAsync(target, taken, stopping));

            var started = time.GetTimestamp();
            await PublishAsync(publishers, tallies, stopping);
            await Arrivals.WaitAsync(
                () => tallies.All(tally => tally.Distinct == plan.Messages), () => tallies.Sum(tally => tally.Arrivals), plan.Patience,
                time, stopping);
            return new TopicFigures(
                plan.Nodes, plan.Subscribers, plan.Messages, taken.Count(each => each),
                tallies.Count(tally => tally.Distinct == plan.Messages),
                tallies.Sum(tally => (long)plan.Messages - tally.Distinct), tallies.Sum(tally => tally.Duplicates),
                tallies.Sum(tally => tally.Unexpected),
                time.GetElapsedTime(started));
        }
        finally
        {
            publishers.ForEach(publisher => publisher.Dispose());
            foreach (var subscriber in subscribers)
                subscriber?.Dispose();
        }
    }

    private async Task PublishAsync(List<NodePublisher> publishers, Tally[] tallies, CancellationToken stopping)
    {
        for (var start = 0; start < plan.Messages; start += Lead)
        {
            var arrived = start;
            if (!await Arrivals.WaitAsync(
                () => tallies.Min(tally => tally.Distinct) >= arrived - Lead, () => tallies.Sum(tally => tally.Arrivals), plan.Patience,
                time, stopping))
            {
                return;
            }
            for (var number = start; number < Math.Min(start + Lead, plan.Messages); number++)
                await publishers[number % publishers.Count].SendAsync(Destination, number, stopping);
        }
        foreach (var publisher in publishers)
            await publisher.AnsweredAsync(stopping);
    }
}
