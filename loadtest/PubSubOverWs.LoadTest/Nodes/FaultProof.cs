using System.Net;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>
/// Subscribers of a topic and of queues at all nodes, and publishers at all nodes, at a constant rate, before, while and after something is
/// wrong with one of them. A client that is disconnected goes to the next node. A copy that is missing is counted by whether its subscriber
/// was told.
/// </summary>
internal sealed class FaultProof(NodesPlan plan, NodeFleet deployment, TimeProvider time)
{
    private const string Topic = "/topic/proof";
    private const int Faulty = 0;
    private static readonly TimeSpan Before = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan After = TimeSpan.FromSeconds(7);
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    private readonly bool[] _taken = new bool[plan.Messages];
    private readonly bool[] _acknowledged = new bool[plan.Messages];
    private readonly long[] _topicSentAt = new long[plan.Messages];
    private readonly long[] _queueSentAt = new long[plan.Messages];
    private readonly Tally _queueTally = new(plan.Messages);

    public async Task<FaultFigures> RunAsync(CancellationToken stopping)
    {
        var topic = Enumerable.Range(0, plan.Subscribers)
            .Select(i => new ReturningSubscriber(deployment, i % plan.Nodes, Topic, acknowledges: false, new Tally(plan.Messages), time))
            .ToArray();
        var queues = Enumerable.Range(0, plan.Nodes * plan.Queues)
            .Select(i =>
                new ReturningSubscriber(deployment, i % plan.Nodes, Destination(i / plan.Nodes), acknowledges: true, _queueTally, time))
            .ToArray();
        PersistentPublisher[] publishers =
        [
            .. Enumerable.Range(0, plan.Nodes)
                .Select(node => new PersistentPublisher(deployment, node, _ => Topic, _taken, _topicSentAt, time)),
            .. Enumerable.Range(0, plan.Nodes)
                .Select(node => new PersistentPublisher(deployment, node, Destination, _acknowledged, _queueSentAt, time)),
        ];
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        try
        {
            ReturningSubscriber[] all = [.. topic, .. queues];
            foreach (var subscriber in all)
                await subscriber.SubscribeAsync(stopping);
            var staying = Task.WhenAll(all.Select(subscriber => subscriber.StayAsync(ending.Token)));
            var started = time.GetTimestamp();
            var fault = FaultAsync(stopping);
            // Whichever fails first ends the run: there is nothing to wait for then.
            Task[] parts = [fault, .. publishers.Select((publisher, i) => PublishAsync(publisher, i % plan.Nodes, started, stopping))];
            if (await Task.WhenAny(Task.WhenAll(parts), staying) == staying)
                await staying;
            await Task.WhenAll(parts);
            await Arrivals.WaitAsync(
                () => IsComplete(topic), () => _queueTally.Arrivals + topic.Sum(subscriber => subscriber.Tally.Arrivals), plan.Patience,
                time, stopping);
            var took = time.GetElapsedTime(started);
            await ending.CancelAsync();
            await staying;
            return Count(topic, publishers.Sum(publisher => publisher.Again), await fault, took);
        }
        finally
        {
            Array.ForEach(publishers, publisher => publisher.Dispose());
            Array.ForEach(topic, subscriber => subscriber.Dispose());
            Array.ForEach(queues, subscriber => subscriber.Dispose());
        }
    }

    private string Destination(int number) => $"/queue/proof-{number % plan.Queues}";

    /// <returns>From the end of the fault until the node is ready; null: it was not within the patience.</returns>
    private async Task<TimeSpan?> FaultAsync(CancellationToken stopping)
    {
        await Task.Delay(Before, time, stopping);
        await deployment.BeginAsync(Faulty, plan.Fault, stopping);
        try
        {
            await Task.Delay(plan.FaultFor, time, stopping);
        }
        finally
        {
            await deployment.EndAsync(Faulty, plan.Fault, CancellationToken.None);
        }
        var ended = time.GetTimestamp();
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false });
        while (time.GetElapsedTime(ended) < plan.Patience)
        {
            using var answer = await http.GetAsync(new Uri(deployment.Nodes[Faulty].Address, "health/ready"), stopping);
            if (answer.StatusCode == HttpStatusCode.OK)
                return time.GetElapsedTime(ended);
            await Task.Delay(BetweenLooks, time, stopping);
        }
        return null;
    }

    private async Task PublishAsync(PersistentPublisher publisher, int first, long started, CancellationToken stopping)
    {
        var all = Before + plan.FaultFor + After;
        for (var number = first; number < plan.Messages; number += plan.Nodes)
        {
            if (all * number / plan.Messages - time.GetElapsedTime(started) is { Ticks: > 0 } early)
                await Task.Delay(early, time, stopping);
            await publisher.SendAsync(number, stopping);
        }
        await publisher.AnsweredAsync(stopping);
    }

    private bool IsComplete(ReturningSubscriber[] topic) =>
        Enumerable.Range(0, plan.Messages).All(number => !_acknowledged[number] || _queueTally.Of(number) > 0)
        && topic.All(subscriber => Missing(subscriber).All(number => subscriber.WasToldOf(_topicSentAt[number])));

    private IEnumerable<int> Missing(ReturningSubscriber subscriber) =>
        Enumerable.Range(0, plan.Messages).Where(number => _taken[number] && subscriber.Tally.Of(number) == 0);

    private FaultFigures Count(ReturningSubscriber[] topic, int again, TimeSpan? readyAfter, TimeSpan took)
    {
        var taken = _taken.Count(each => each);
        var missing = topic.Select(subscriber => Missing(subscriber).ToLookup(number => subscriber.WasToldOf(_topicSentAt[number])))
            .ToArray();
        var (told, untold) = (missing.Sum(those => (long)those[true].Count()), missing.Sum(those => (long)those[false].Count()));
        return new FaultFigures(
            plan.Messages, plan.Subscribers, taken, ((long)taken * plan.Subscribers) - told - untold, told, untold,
            topic.Count(subscriber => subscriber.Told > 0),
            topic.Sum(subscriber => subscriber.Tally.Duplicates), _acknowledged.Count(each => each),
            Enumerable.Range(0, plan.Messages).Count(number => _acknowledged[number] && _queueTally.Of(number) > 0), _queueTally.Duplicates,
            again,
            _queueTally.Unexpected + topic.Sum(subscriber => (long)subscriber.Tally.Unexpected), readyAfter, took);
    }
}
