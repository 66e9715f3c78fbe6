using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>Users that send messages to themselves, over one connection or as pairs of publisher and subscriber.</summary>
public sealed class OneWayLoad : ILoad
{
    private readonly IterationPlan _plan;
    private readonly IOneWayUser[] _users;

    public OneWayLoad(IterationPlan plan, ServerGroup servers)
    {
        _plan = plan;
        Waiting = new Countdown(plan.Users);
        var users = Enumerable.Range(0, plan.Users);
        if (plan.Pairs is { } pairs)
        {
            var slow = pairs.SlowAmong(plan.Users);
            _users = [.. users.Select(
                i => new Pair(i, plan, servers.PublishingOf(i), servers.SubscribingOf(i), slow.Contains(i), Waiting))];
        }
        else
        {
            _users = [.. users.Select(i => new User(i, plan, servers.TargetOf(i), Waiting))];
        }
    }

    public IReadOnlyList<IParticipant> Participants => _users;

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_plan.Deadline, _plan.ConnectsUnderWay, _plan.Grace);

    public long Sends => (long)_plan.Messages * _plan.Users;

    public TimeSpan DueAt(long send) => _plan.Arrival.DueAt(send, Sends);

    public void Send(long send) => _users[send % _plan.Users].Send((int)(send / _plan.Users));

    public Observed Observe(long start, long firstDue)
    {
        var seen = new ObservationBuilder([.. _users.Select(user => user.Log)], _plan, start, firstDue);
        return new Observed(seen.Observations, [seen.Anomalies], seen.Acknowledged, seen.Failures)
        {
            Windows = [.. _users.SelectMany((user, i) => Windows(i, user.Returns, start))],
            Republished = _users.Sum(user => (long)user.Returns.Republished),
        };
    }

    private static IEnumerable<OfflineWindow> Windows(int user, Returns returns, long start) =>
        returns.Subscriber.Select(outage => Window(true, user, outage, start))
            .Concat(returns.Publisher.Select(outage => Window(false, user, outage, start)));

    private static OfflineWindow Window(bool isSubscriber, int user, Outage outage, long start)
    {
        return new(isSubscriber, user, Time(outage.From)!.Value, Time(outage.Connected), Time(outage.Until));

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }
}

/// <summary>A user that sends messages to itself.</summary>
public interface IOneWayUser : IParticipant
{
    /// <summary>Complete once the user has left.</summary>
    ClientLog Log { get; }

    /// <summary>Its outages; complete once the user has left.</summary>
    Returns Returns { get; }

    /// <summary>Sends a message that is due, without waiting; no effect if the user is not connected.</summary>
    /// <param name="sequence">From 0, each once and in order.</param>
    void Send(int sequence);
}
