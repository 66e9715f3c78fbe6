using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>
/// Users and providers, all or those of one load process, which sends the requests of its users when the plan of all has them due. What an
/// arm does not answer in time is not asked of it for ever: they give up.
/// </summary>
public sealed class RequestReplyClients : IShareOfLoad
{
    private readonly RequestReplyPlan _plan;
    private readonly LoadShare _share;
    private readonly byte[][] _topics;

    // By their number; null: another process has it.
    private readonly Provider?[] _providers;
    private readonly Requester?[] _users;
    private readonly RequestLog _log;
    private readonly Unanswered _unanswered;
    private int _notSent;

    /// <param name="share">Those that are here.</param>
    public RequestReplyClients(RequestReplyPlan plan, LoadShare share, ServerGroup servers, RequestLog log)
    {
        _plan = plan;
        _share = share;
        _topics = plan.ProviderTopics();
        _log = log;
        _unanswered = new Unanswered(Waiting);
        _providers = new Provider[plan.Providers];
        _users = new Requester[plan.Users];
        foreach (var i in share.In(plan.Providers))
            _providers[i] = new Provider(i, plan, servers.TargetOf(i), log);
        foreach (var i in share.In(plan.Users))
            _users[i] = new Requester(i, plan, servers.TargetOf(i), log, _unanswered);
        Participants = [.. _providers.OfType<Provider>(), .. _users.OfType<Requester>()];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; } = new(1);

    public LoadBounds Bounds => new(_plan.Deadline, _share.ConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends => _plan.Requests;

    public bool HasGivenUp => _notSent > 0;

    /// <summary>What the clients have counted, without the log.</summary>
    public ClientCounts Counts => new(
        Sum(_providers), Sum(_users), [.. Failures(_users)], [.. Failures(_providers)], _notSent);

    // Once it gave up, what is left is passed over at once.
    public TimeSpan DueAt(long send) => HasGivenUp ? TimeSpan.Zero : _plan.DueAt(send);

    public void Send(long send)
    {
        var request = (int)send;
        if (_users[_plan.UserOf(request)] is { } user)
        {
            if (HasGivenUp || _unanswered.Count > _plan.MaxUnansweredAt(request, _share))
                _notSent++;
            else
                user.Send(request, _topics[_plan.ProviderOf(request)]);
        }

        if (request == _plan.Requests - 1)
            _unanswered.AllSent();
    }

    public object Account() => new RequestReplyAccount(_plan.Requests, _log.Origin, _log.Write(), Counts);

    private static Anomalies Sum(IEnumerable<NumberedClient?> all) =>
        all.OfType<NumberedClient>().Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Anomalies));

    private static IEnumerable<ClientFailure> Failures(IReadOnlyList<NumberedClient?> all)
    {
        for (var client = 0; client < all.Count; client++)
        {
            if (ClientFailure.From(client, all[client]?.Failure) is { } failure)
                yield return failure;
        }
    }
}

/// <summary>What the clients of one process have seen.</summary>
/// <param name="Requests">Of the iteration, for which it has a log.</param>
/// <param name="Origin">From which its times count, a stamp of the process's monotonic clock.</param>
/// <param name="Stamps">Of <see cref="RequestLog.Write"/>.</param>
public sealed record RequestReplyAccount(int Requests, long Origin, byte[] Stamps, ClientCounts Counts);

/// <summary>What they have counted.</summary>
/// <param name="AtProviders">Requests that were damaged, came twice, or were not theirs.</param>
/// <param name="AtUsers">Replies likewise.</param>
/// <param name="Users">The first failure of each user that had one.</param>
/// <param name="NotSent">Requests that were due and not sent any more.</param>
public sealed record ClientCounts(
    Anomalies AtProviders, Anomalies AtUsers, IReadOnlyList<ClientFailure> Users, IReadOnlyList<ClientFailure> Providers, int NotSent);

/// <summary>Counts requests that are sent and not answered, and says when the last one is.</summary>
/// <param name="waiting">Signalled when all were sent and answered.</param>
public sealed class Unanswered(Countdown waiting)
{
    // One more while requests are still to be sent.
    private long _count = 1;

    public long Count => Volatile.Read(ref _count) - 1;

    public void Add() => Interlocked.Increment(ref _count);

    /// <summary>One was answered, or could not be sent.</summary>
    public void Remove()
    {
        if (Interlocked.Decrement(ref _count) == 0)
            waiting.Signal();
    }

    /// <summary>Nothing more is sent. To be called once.</summary>
    public void AllSent() => Remove();
}

/// <summary>Users and providers, all in this process.</summary>
public sealed class RequestReplyLoad : WholeLoad<RequestReplyClients>
{
    private readonly RequestReplyPlan _plan;
    private readonly IReadOnlyList<Flow> _flows;
    private readonly RequestLog _log;
    private readonly SteadyTime _steady;

    /// <param name="flows">Round trip, request and reply.</param>
    public RequestReplyLoad(RequestReplyPlan plan, IReadOnlyList<Flow> flows, ServerGroup servers)
        : this(plan, flows, servers, new RequestLog(plan.Requests, Stopwatch.GetTimestamp()))
    {
    }

    private RequestReplyLoad(RequestReplyPlan plan, IReadOnlyList<Flow> flows, ServerGroup servers, RequestLog log)
        : base(new RequestReplyClients(plan, LoadShare.Whole, servers, log)) =>
        (_plan, _flows, _log, _steady) = (plan, flows, log, new SteadyTime(servers, []));

    public override void Send(long send)
    {
        if (send == _plan.Settling && !Clients.HasGivenUp)
            _steady.Begin(Stopwatch.GetTimestamp());
        Clients.Send(send);
        if (Clients.HasGivenUp || send == Sends - 1)
            _steady.End(Stopwatch.GetTimestamp());
    }

    public override Observed Observe(long start, long firstDue)
    {
        var seen = new RequestReplySeen(_plan, _log);
        seen.Add(Clients.Counts);
        return seen.Observe(_flows, _steady, start, firstDue);
    }
}

/// <summary>
/// Users and providers in several load processes. Every process knows the plan of all, and sends what its users have to: together that is
/// what one process would send, at the same moments.
/// </summary>
public sealed class RequestReplyWorkers : WorkersLoad
{
    private readonly RequestReplyScenario _scenario;
    private readonly RequestReplyOrder _order;
    private readonly SteadyTime _steady;
    private volatile bool _hasEnded;

    public RequestReplyWorkers(
        RequestReplyScenario scenario, RequestReplyOrder order, IReadOnlyList<LoadWorker> workers, ServerGroup servers, SteadyTime steady)
        : base(
            order, scenario.Kind.Name, servers, workers, order.Plan.Users + order.Plan.Providers,
            [order.Plan.DueAt(order.Plan.Settling), order.Plan.DueAt(order.Plan.Requests - 1)]) =>
        (_scenario, _order, _steady) = (scenario, order, steady);

    protected override TimeSpan Deadline => _order.Plan.Deadline;

    // A round trip, which is judged, begins and ends at one user.
    protected override bool CrossesProcesses => false;

    protected override object PlanBy(object plan, ClockReading? clock) =>
        clock is null ? plan : _order with { Origin = clock.ThereAt(_order.Origin) };

    public override void Send(long send)
    {
        if (send == 0 && !_hasEnded)
            _steady.Begin(Stopwatch.GetTimestamp());
        else
            _steady.End(Stopwatch.GetTimestamp());
    }

    public override void Sent()
    {
        _hasEnded = true;
        _steady.End(Stopwatch.GetTimestamp());
    }

    public override Observed Observe(long start, long firstDue)
    {
        var seen = new RequestReplySeen(_order.Plan, new RequestLog(_order.Plan.Requests, _order.Origin));
        return Observe<RequestReplyAccount>(seen.Merge, () => seen.Observe(_scenario.Flows, _steady, start, firstDue));
    }
}

/// <summary>What a load process is told of an iteration.</summary>
/// <param name="Plan">Of all clients.</param>
/// <param name="Origin">From which the stamps of its log count, by its monotonic clock.</param>
public sealed record RequestReplyOrder(RequestReplyPlan Plan, long Origin);
