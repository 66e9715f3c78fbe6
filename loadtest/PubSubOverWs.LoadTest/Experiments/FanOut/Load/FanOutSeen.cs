using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.FanOut.Load;

/// <summary>What all clients have seen, in one process or in several.</summary>
public sealed class FanOutSeen(FanOutPlan plan)
{
    private readonly TopicPlan _topic = plan.Topic;
    private readonly PublisherAccount[] _publishers = new PublisherAccount[plan.Publishers];
    private readonly SubscriberAccount[] _subscribers = new SubscriberAccount[plan.Subscribers];

    /// <summary>Each client was in one process, so merging is exact.</summary>
    /// <exception cref="InvalidDataException">It is not about the clients of that share, or not about this iteration.</exception>
    public void Add(FanOutAccount account, LoadShare share, WorkerClock clock)
    {
        if (!account.Publishers.Select(one => one.Publisher).SequenceEqual(share.In(plan.Publishers))
            || !account.Subscribers.Select(one => one.Subscriber).SequenceEqual(share.In(plan.Subscribers)))
            throw new InvalidDataException("it is not about the clients of its share");
        if (account.Subscribers.Any(one => one.ArrivedAt.Count != plan.Messages)
            || account.Publishers.Any(one => one.Messages.Count != new LoadShare(one.Publisher, plan.Publishers).CountIn(plan.Messages)))
            throw new InvalidDataException($"it is not about {plan.Messages} messages");
        foreach (var publisher in account.Publishers)
            _publishers[publisher.Publisher] = publisher with { Messages = [.. publisher.Messages.Select(one => one.By(clock))] };
        foreach (var subscriber in account.Subscribers)
            _subscribers[subscriber.Subscriber] = subscriber with { ArrivedAt = [.. subscriber.ArrivedAt.Select(clock.Here)] };
    }

    /// <inheritdoc cref="ILoad.Observe"/>
    public Observed Observe(long start, long firstDue)
    {
        var account = new FlowAccount(Flow.Message(plan.Arrival), plan.Deadline);
        var reach = new int[_subscribers.Length];
        for (var message = 0; message < plan.Messages; message++)
            Add(message, account, reach, start, firstDue);
        return new Observed([], [_subscribers.Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Anomalies))], 0, Failures())
        {
            Counted = [account],
            Measures = new Dictionary<string, double?>
            {
                [FanOutScenario.Deliveries.Name] = DeliveriesPerSecond(firstDue),
                [FanOutScenario.LeastReach.Name] = 100.0 * reach.Min() / plan.Messages,
                [FanOutScenario.Reached.Name] = reach.Count(messages => messages == plan.Messages),
            },
        };
    }

    // Every subscriber of the plan is a recipient, whether it was ever connected or not.
    private void Add(int message, FlowAccount account, int[] reach, long start, long firstDue)
    {
        var publisher = _publishers[_topic.PublisherOf(message)];
        var own = publisher.Messages[message / plan.Publishers];
        var due = Stopwatch.GetElapsedTime(start, firstDue) + plan.DueAt(message);
        var sent = new Observation(
            _topic.MessageId(message), publisher.Publisher, 0, due, Time(own.SentAt), Time(own.ReceiptAt), own.Taken, null, Cause.None);
        for (var i = 0; i < _subscribers.Length; i++)
        {
            var outcome = account.Add(sent with
            {
                Recipient = i,
                Received = Time(_subscribers[i].ArrivedAt[message]),
                Failure = own.Refusal?.Cause ?? publisher.Failure?.Cause ?? _subscribers[i].Failure?.Cause ?? Cause.None,
            });
            if (outcome == Outcome.Delivered)
                reach[i]++;
        }

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }

    private double? DeliveriesPerSecond(long firstDue)
    {
        var arrivals = _subscribers.SelectMany(one => one.ArrivedAt).OfType<long>();
        return arrivals.Any() ? arrivals.LongCount() / Stopwatch.GetElapsedTime(firstDue, arrivals.Max()).TotalSeconds : null;
    }

    private Dictionary<string, int> Failures() => Observed.Count(
        _publishers.SelectMany(one => one.Messages).Select(message => message.Refusal)
            .Concat(_publishers.Select(one => one.Failure)).Concat(_subscribers.Select(one => one.Failure)), plan.Name);
}

/// <summary>What the clients of one process have seen.</summary>
public sealed record FanOutAccount(IReadOnlyList<PublisherAccount> Publishers, IReadOnlyList<SubscriberAccount> Subscribers);

/// <param name="Publisher">Its number.</param>
/// <param name="Messages">Its own, in the order in which it sends them.</param>
public sealed record PublisherAccount(int Publisher, IReadOnlyList<MessageAccount> Messages, ConnectFailure? Failure)
{
    public static PublisherAccount From(int number, TopicPublisher seen) =>
        new(number, [.. seen.Messages.Select(MessageAccount.From)], seen.Failure);
}

/// <param name="Subscriber">Its number.</param>
/// <param name="ArrivedAt">Of the first intact copy of each message of the plan, a stamp of the process's monotonic clock.</param>
public sealed record SubscriberAccount(
    int Subscriber, IReadOnlyList<long?> ArrivedAt, Anomalies Anomalies, ConnectFailure? Failure)
{
    public static SubscriberAccount From(int number, TopicSubscriber seen, int messages) =>
        new(number, [.. Enumerable.Range(0, messages).Select(seen.ArrivedAt)], seen.Anomalies, seen.Failure);
}
