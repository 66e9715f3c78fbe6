using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>The users of one process, all or a share, which send when the plan of all has their messages due.</summary>
public sealed class OneWayClients : IShareOfLoad
{
    private readonly IterationPlan _plan;
    private readonly LoadShare _share;

    // By their number; null: another process has it.
    private readonly IOneWayUser?[] _users;

    public OneWayClients(IterationPlan plan, LoadShare share, ServerGroup servers)
    {
        _plan = plan;
        _share = share;
        Waiting = new Countdown(share.CountIn(plan.Users));
        _users = new IOneWayUser[plan.Users];
        var slow = plan.Pairs?.SlowAmong(plan.Users);
        foreach (var i in share.In(plan.Users))
        {
            _users[i] = slow is null
                ? new User(i, plan, servers.TargetOf(i), Waiting)
                : new Pair(i, plan, servers.PublishingOf(i), servers.SubscribingOf(i), slow.Contains(i), Waiting);
        }
        Users = [.. _users.OfType<IOneWayUser>()];
    }

    /// <summary>Those that are here, in order.</summary>
    public IReadOnlyList<IOneWayUser> Users { get; }

    public IReadOnlyList<IParticipant> Participants => Users;

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_plan.Deadline, Math.Max(1, _plan.ConnectsUnderWay / _share.Of), _plan.Grace);

    public long Sends => (long)_plan.Messages * _plan.Users;

    public TimeSpan DueAt(long send) => _plan.Arrival.DueAt(send, Sends);

    public void Send(long send) => _users[send % _plan.Users]?.Send((int)(send / _plan.Users));

    public object Account() => new OneWayAccount([.. _share.In(_plan.Users).Select(i => UserAccount.From(i, _users[i]!))]);
}

/// <summary>Users in several load processes. Together they send what one process would send, at the same moments.</summary>
public sealed class OneWayWorkers(
    IterationPlan plan, string experiment, IReadOnlyList<LoadWorker> workers, ServerGroup servers)
    : WorkersLoad(plan, experiment, servers, workers, plan.Users, [plan.DueAt(plan.Users - 1, plan.Messages - 1)])
{
    protected override TimeSpan Deadline => plan.Deadline;

    // A user gets what it has sent itself.
    protected override bool CrossesProcesses => false;

    public override Observed Observe(long start, long firstDue)
    {
        var seen = new (ClientLog Log, Returns Returns)?[plan.Users];
        return Observe<OneWayAccount>(
            (account, share, clock) => account.AddTo(seen, share, plan, clock),
            () => OneWaySeen.Observe(plan, [.. seen.Select(one => one!.Value)], start, firstDue));
    }
}

/// <summary>What the users of a share have seen.</summary>
public sealed record OneWayAccount(IReadOnlyList<UserAccount> Users)
{
    /// <summary>Each user was in one process, so merging is exact.</summary>
    /// <exception cref="InvalidDataException">They are not the users of that share, or did not send these messages.</exception>
    public void AddTo((ClientLog Log, Returns Returns)?[] seen, LoadShare share, IterationPlan plan, WorkerClock clock)
    {
        if (!Users.Select(one => one.User).SequenceEqual(share.In(plan.Users)))
            throw new InvalidDataException("it is not about the users of its share");
        if (Users.FirstOrDefault(one => one.Messages.Count != plan.Messages) is { } other)
            throw new InvalidDataException($"it has {other.Messages.Count} messages of user {other.User}, who sends {plan.Messages}");
        foreach (var user in Users)
            seen[user.User] = (user.Replay(plan, clock), user.Returns.By(clock));
    }
}

/// <summary>What one user has seen, as its log has it. Stamps are of the process's monotonic clock.</summary>
public sealed record UserAccount(
    int User, IReadOnlyList<MessageAccount> Messages, IReadOnlyList<Arrived> Arrived, ConnectFailure? Failure, Returns Returns)
{
    public static UserAccount From(int user, IOneWayUser seen) => new(
        user,
        [.. seen.Log.Messages.Select(MessageAccount.From)],
        seen.Log.Arrived, seen.Log.Failure, seen.Returns);

    /// <summary>The log, as if the user had been here.</summary>
    public ClientLog Replay(IterationPlan plan, WorkerClock clock)
    {
        var log = plan.Log(User, new Countdown(1));
        if (Failure is { } failure)
            log.Fail(failure);
        for (var i = 0; i < Messages.Count; i++)
        {
            var (own, seen) = (log.Messages[i], Messages[i]);
            (own.SentAt, own.ReceiptAt, own.Taken, own.Refusal) =
                (clock.Here(seen.SentAt), clock.Here(seen.ReceiptAt), seen.Taken, seen.Refusal);
        }
        foreach (var arrived in Arrived)
            log.Take(arrived.MessageId, clock.Here(arrived.Stamp), arrived.Intact);
        return log;
    }
}

/// <summary>What all users have seen, in one process or in several.</summary>
public static class OneWaySeen
{
    /// <param name="users">In order.</param>
    /// <inheritdoc cref="ILoad.Observe"/>
    public static Observed Observe(
        IterationPlan plan, IReadOnlyList<(ClientLog Log, Returns Returns)> users, long start, long firstDue)
    {
        var seen = new ObservationBuilder([.. users.Select(user => user.Log)], plan, start, firstDue);
        return new Observed(seen.Observations, [seen.Anomalies], seen.Acknowledged, seen.Failures)
        {
            Windows = [.. users.SelectMany((user, i) => Windows(i, user.Returns, start))],
            Republished = users.Sum(user => (long)user.Returns.Republished),
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
