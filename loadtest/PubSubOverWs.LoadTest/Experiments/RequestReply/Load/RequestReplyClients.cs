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

    /// <param name="plan">What all of them do.</param>
    /// <param name="share">Those that are here.</param>
    /// <param name="servers">Where they connect, spread evenly.</param>
    /// <param name="log">Of all requests.</param>
    public RequestReplyClients(RequestReplyPlan plan, LoadShare share, ServerGroup servers, RequestLog log)
    {
        (_plan, _share, _topics, _log) = (plan, share, plan.ProviderTopics(), log);
        _unanswered = new Unanswered(Waiting);
        (_providers, _users) = (new Provider[plan.Providers], new Requester[plan.Users]);
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
            if (HasGivenUp || _unanswered.Count > _plan.MostUnansweredAt(request, _share))
                _notSent++;
            else
                user.Send(request, _topics[_plan.ProviderOf(request)]);
        }

        if (request == _plan.Requests - 1)
            _unanswered.AllSent();
    }

    public object Account() => new RequestReplyAccount(_plan.Requests, _log.Write(), Counts);

    private static Anomalies Sum(IEnumerable<NumberedClient?> all) =>
        all.OfType<NumberedClient>().Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Anomalies));

    private static IEnumerable<ClientFailure> Failures(IReadOnlyList<NumberedClient?> all)
    {
        for (var client = 0; client < all.Count; client++)
        {
            if (ClientFailure.Of(client, all[client]?.Failure) is { } failure)
                yield return failure;
        }
    }
}

/// <summary>What the clients of one process have seen.</summary>
/// <param name="Requests">Of the iteration, for which it has a log.</param>
/// <param name="Stamps">Of <see cref="RequestLog.Write"/>.</param>
public sealed record RequestReplyAccount(int Requests, byte[] Stamps, ClientCounts Counts);

/// <summary>What they have counted.</summary>
/// <param name="AtProviders">Requests that were damaged, came twice, or were not theirs.</param>
/// <param name="AtUsers">Replies likewise.</param>
/// <param name="Users">The first failure of each user that had one.</param>
/// <param name="Providers">Likewise.</param>
/// <param name="NotSent">Requests that were due and not sent any more.</param>
public sealed record ClientCounts(
    Anomalies AtProviders, Anomalies AtUsers, IReadOnlyList<ClientFailure> Users, IReadOnlyList<ClientFailure> Providers, int NotSent);
