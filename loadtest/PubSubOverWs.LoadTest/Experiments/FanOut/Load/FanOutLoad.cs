using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.FanOut.Load;

/// <summary>Publishers and subscribers of one topic.</summary>
public sealed class FanOutLoad : ILoad
{
    private readonly FanOutPlan _plan;
    private readonly TopicPlan _topic;
    private readonly TopicPublisher[] _publishers;
    private readonly TopicSubscriber[] _subscribers;

    public FanOutLoad(FanOutPlan plan, ServerGroup servers)
    {
        _plan = plan;
        _topic = plan.Topic;
        Waiting = new Countdown(plan.Subscribers);
        _publishers = [.. Enumerable.Range(0, plan.Publishers).Select(i => new TopicPublisher(i, _topic, servers.TargetOf(i)))];
        _subscribers = [.. Enumerable.Range(0, plan.Subscribers).Select(i => new TopicSubscriber(_topic, servers.TargetOf(i), Waiting))];
        Participants = [.. _publishers, .. _subscribers];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_plan.Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends => _plan.Messages;

    public TimeSpan DueAt(long send) => _plan.DueAt(send);

    public void Send(long send) => _publishers[_topic.PublisherOf((int)send)].Send((int)send / _plan.Publishers);

    public Observed Observe(long start, long firstDue)
    {
        var account = new FlowAccount(Flow.Message(_plan.Arrival), _plan.Deadline);
        var reach = new int[_subscribers.Length];
        for (var message = 0; message < _plan.Messages; message++)
            Add(message, account, reach, start, firstDue);
        return new Observed([], [_subscribers.Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Anomalies))], 0, Failures())
        {
            Counted = [account],
            Measures = new Dictionary<string, double?>
            {
                [FanOutScenario.Deliveries.Name] = DeliveriesPerSecond(firstDue),
                [FanOutScenario.LeastReach.Name] = 100.0 * reach.Min() / _plan.Messages,
                [FanOutScenario.Reached.Name] = reach.Count(messages => messages == _plan.Messages),
            },
        };
    }

    // Every subscriber of the plan is a recipient, whether it was ever connected or not.
    private void Add(int message, FlowAccount account, int[] reach, long start, long firstDue)
    {
        var publisher = _publishers[_topic.PublisherOf(message)];
        var own = publisher.Messages[message / _plan.Publishers];
        var due = Stopwatch.GetElapsedTime(start, firstDue) + _plan.DueAt(message);
        var sent = new Observation(
            own.Id, _topic.PublisherOf(message), 0, due, Time(own.SentAt), Time(own.ReceiptAt), own.Taken, null, Cause.None);
        for (var i = 0; i < _subscribers.Length; i++)
        {
            var outcome = account.Add(sent with
            {
                Recipient = i,
                Received = Time(_subscribers[i].ArrivedAt(message)),
                Failure = own.Refusal?.Cause ?? publisher.Failure?.Cause ?? _subscribers[i].Failure?.Cause ?? Cause.None,
            });
            if (outcome == Outcome.Delivered)
                reach[i]++;
        }

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }

    private double? DeliveriesPerSecond(long firstDue)
    {
        var arrivals = _subscribers.SelectMany(one => Enumerable.Range(0, _plan.Messages).Select(one.ArrivedAt)).OfType<long>();
        return arrivals.Any() ? arrivals.LongCount() / Stopwatch.GetElapsedTime(firstDue, arrivals.Max()).TotalSeconds : null;
    }

    private Dictionary<string, int> Failures() => Observed.Count(
        _publishers.SelectMany(one => one.Messages).Select(message => message.Refusal)
            .Concat(_publishers.Select(one => one.Failure)).Concat(_subscribers.Select(one => one.Failure)), _plan.Name);
}
