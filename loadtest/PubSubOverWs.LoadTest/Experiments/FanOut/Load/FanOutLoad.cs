using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.FanOut.Load;

/// <summary>Publishers and subscribers of one topic, all in this process.</summary>
public sealed class FanOutLoad(FanOutPlan plan, ServerGroup servers)
    : WholeLoad<FanOutClients>(new FanOutClients(plan, LoadShare.Whole, servers))
{
    public override Observed Observe(long start, long firstDue)
    {
        var seen = new FanOutSeen(plan);
        seen.Add(Clients.Seen, LoadShare.Whole, WorkerClock.Same);
        return seen.Observe(start, firstDue);
    }
}

/// <summary>Those of one process, all or a share, which send when the plan of all has their messages due.</summary>
public sealed class FanOutClients : IShareOfLoad
{
    private readonly FanOutPlan _plan;
    private readonly LoadShare _share;
    private readonly TopicPlan _topic;

    // By their number; null: another process has it.
    private readonly TopicPublisher?[] _publishers;
    private readonly TopicSubscriber?[] _subscribers;

    public FanOutClients(FanOutPlan plan, LoadShare share, ServerGroup servers)
    {
        _plan = plan;
        _share = share;
        _topic = plan.Topic;
        Waiting = new Countdown(share.CountIn(plan.Subscribers));
        _publishers = new TopicPublisher[plan.Publishers];
        _subscribers = new TopicSubscriber[plan.Subscribers];
        foreach (var i in share.In(plan.Publishers))
            _publishers[i] = new TopicPublisher(i, _topic, servers.TargetOf(i));
        foreach (var i in share.In(plan.Subscribers))
            _subscribers[i] = new TopicSubscriber(_topic, servers.TargetOf(i), Waiting);
        Participants = [.. _publishers.OfType<TopicPublisher>(), .. _subscribers.OfType<TopicSubscriber>()];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_plan.Deadline, _share.ConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends => _plan.Messages;

    public FanOutAccount Seen => new(
        [.. _share.In(_plan.Publishers).Select(i => PublisherAccount.From(i, _publishers[i]!))],
        [.. _share.In(_plan.Subscribers).Select(i => SubscriberAccount.From(i, _subscribers[i]!, _plan.Messages))]);

    public TimeSpan DueAt(long send) => _plan.DueAt(send);

    public void Send(long send) => _publishers[_topic.PublisherOf((int)send)]?.Send((int)send / _plan.Publishers);

    public object Account() => Seen;
}

/// <summary>Publishers and subscribers in several load processes.</summary>
public sealed class FanOutWorkers(FanOutPlan plan, string experiment, IReadOnlyList<LoadWorker> workers, ServerGroup servers)
    : WorkersLoad(plan, experiment, servers, workers, plan.Publishers + plan.Subscribers, [plan.DueAt(plan.Messages - 1)])
{
    protected override TimeSpan Deadline => plan.Deadline;

    public override Observed Observe(long start, long firstDue)
    {
        var seen = new FanOutSeen(plan);
        return Observe<FanOutAccount>(seen.Add, () => seen.Observe(start, firstDue));
    }
}
