using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>What all clients of an iteration have seen, in one process or in several.</summary>
public sealed class RequestReplySeen(RequestReplyPlan plan, RequestLog log)
{
    private readonly ConnectFailure?[] _users = new ConnectFailure[plan.Users];
    private readonly ConnectFailure?[] _providers = new ConnectFailure[plan.Providers];
    private Anomalies _atProviders;
    private Anomalies _atUsers;
    private int _notSent;

    /// <summary>Adds what the clients of one process have counted, whose stamps the log has.</summary>
    public void Add(ClientCounts counts)
    {
        _atProviders = _atProviders.Add(counts.AtProviders);
        _atUsers = _atUsers.Add(counts.AtUsers);
        foreach (var failure in counts.Users)
            _users[failure.Client] = failure.ToConnectFailure();
        foreach (var failure in counts.Providers)
            _providers[failure.Client] = failure.ToConnectFailure();
        _notSent += counts.NotSent;
    }

    /// <summary>
    /// Adds what the clients of a load process have seen. Each moment of a request is seen by one client, so merging is exact: nothing is
    /// rounded, and nothing can be counted twice.
    /// </summary>
    /// <param name="share">Which clients the process has.</param>
    /// <exception cref="InvalidDataException">It has not seen this iteration, or what no client of the share can have seen.</exception>
    public void Merge(RequestReplyAccount account, LoadShare share, WorkerClock clock)
    {
        if (account.Requests != plan.Requests)
            throw new InvalidDataException($"it is about {account.Requests} requests, and the iteration has {plan.Requests}");
        var stranger = account.Counts.Users.Where(failure => !share.Has(failure.Client, plan.Users))
            .Concat(account.Counts.Providers.Where(failure => !share.Has(failure.Client, plan.Providers))).FirstOrDefault();
        if (stranger is not null)
            throw new InvalidDataException($"it has no client {stranger.Client}");
        log.Merge(
            account.Stamps, account.Origin, clock,
            (moment, request) => share.Has(
                moment is Moment.Sent or Moment.Returned ? plan.UserOf(request) : plan.ProviderOf(request)));
        Add(account.Counts);
    }

    /// <param name="flows">Round trip, request and reply.</param>
    /// <param name="start">The iteration's start, a stamp of <see cref="Stopwatch"/>.</param>
    public Observed Observe(IReadOnlyList<Flow> flows, SteadyTime steady, long start, long firstDue)
    {
        FlowAccount[] accounts = [.. flows.Select(flow => new FlowAccount(flow, plan.Deadline))];
        var seen = new RequestObserver(plan, log, start, firstDue, FailureOf);
        for (var request = plan.Settling; request < plan.Requests; request++)
        {
            accounts[0].Add(seen.RoundTrip(request));
            accounts[1].Add(seen.Request(request));
            accounts[2].Add(seen.Reply(request));
        }

        return new Observed(
            [], [_atProviders.Add(_atUsers), _atProviders, _atUsers], 0, Observed.Count(_providers.Concat(_users), plan.Name))
        {
            Counted = accounts,
            Measures = Measures(steady, firstDue),
        };
    }

    private Cause FailureOf(int request) =>
        (_users[plan.UserOf(request)] ?? _providers[plan.ProviderOf(request)])?.Cause ?? Cause.None;

    private Dictionary<string, double?> Measures(SteadyTime steady, long firstDue)
    {
        var counted = (plan.DueAt(plan.Requests) - plan.DueAt(plan.Settling)).TotalSeconds;
        var answered = log.Count(Moment.Returned, After(plan.DueAt(plan.Settling)), After(plan.DueAt(plan.Requests)));
        return new()
        {
            [RequestReplyScenario.Answered.Name] = answered / counted,
            [RequestReplyScenario.PerCoreSecond.Name] = steady is { Span: { } span, ServerCpu: { Ticks: > 0 } cpu }
                ? log.Count(Moment.Returned, span.From, span.Until) / cpu.TotalSeconds
                : null,
            [RequestReplyScenario.ServerBusy.Name] = 100 * (steady.ServerCpu / steady.Length),
            [RequestReplyScenario.LoadBusy.Name] = 100 * (steady.LoadCpu / steady.Length),
            [RequestReplyScenario.Resident.Name] = steady.ResidentBytes / (double)(1 << 20),
            [RequestReplyScenario.NotSent.Name] = _notSent,
        };

        long After(TimeSpan time) => firstDue + (long)(time.TotalSeconds * Stopwatch.Frequency);
    }
}

/// <summary>What became of a request, as three observations. All times are whole microseconds, as the log has them.</summary>
/// <param name="start">The iteration's start, a stamp of <see cref="Stopwatch"/>.</param>
/// <param name="failureOf">The first failure of the user and the provider of a request.</param>
public sealed class RequestObserver(RequestReplyPlan plan, RequestLog log, long start, long firstDue, Func<int, Cause> failureOf)
{
    private readonly TimeSpan _origin = Whole(Stopwatch.GetElapsedTime(start, log.Origin));
    private readonly TimeSpan _firstDue = Whole(Stopwatch.GetElapsedTime(start, firstDue));

    /// <summary>From the user and back to it.</summary>
    public Observation RoundTrip(int request) => Seen(request, Due(request), At(Moment.Sent, request), At(Moment.Returned, request));

    /// <summary>From the user to the provider.</summary>
    public Observation Request(int request) =>
        Seen(request, Due(request), At(Moment.Sent, request), At(Moment.Arrived, request)) with { Recipient = plan.ProviderOf(request) };

    /// <summary>From the provider to the user: due when the request has come.</summary>
    public Observation Reply(int request) =>
        Seen(request, At(Moment.Arrived, request) ?? Due(request), At(Moment.Replied, request), At(Moment.Returned, request)) with
        {
            Publisher = plan.ProviderOf(request),
        };

    private Observation Seen(int request, TimeSpan due, TimeSpan? sent, TimeSpan? received) => new(
        "", plan.UserOf(request), plan.UserOf(request), due, sent, Receipt: null, Taken: false, received, failureOf(request));

    private TimeSpan Due(int request) => _firstDue + Whole(plan.DueAt(request));

    private TimeSpan? At(Moment moment, int request) => log[moment, request] + _origin;

    private static TimeSpan Whole(TimeSpan time) => TimeSpan.FromTicks(time.Ticks - (time.Ticks % TimeSpan.TicksPerMicrosecond));
}

/// <summary>The time from the first counted request until the last is due or the load gives up, and the CPU of both sides.</summary>
/// <param name="loadProcesses">They have the clients, besides this process.</param>
public sealed class SteadyTime(ServerGroup servers, IReadOnlyList<ILoadProcess> loadProcesses)
{
    private readonly Lock _gate = new();
    private (long Stamp, TimeSpan? Server, TimeSpan? Load)? _begun;
    private (long Stamp, TimeSpan? Server, TimeSpan? Load)? _ended;

    /// <summary>
    /// Stamps of <see cref="Stopwatch"/>; null: it never began, or ended within <see cref="Validity.ShortestMeasured"/>.
    /// </summary>
    public (long From, long Until)? Span =>
        (_begun, _ended) is ({ } begun, { } ended) && Stopwatch.GetElapsedTime(begun.Stamp, ended.Stamp) >= Validity.ShortestMeasured
            ? (begun.Stamp, ended.Stamp)
            : null;

    /// <summary>CPU of all processes of the server; null: this run does not know them.</summary>
    public TimeSpan? ServerCpu => _ended?.Server - _begun?.Server;

    /// <summary>Null: this run does not know the load processes.</summary>
    public TimeSpan? LoadCpu => _ended?.Load - _begun?.Load;

    /// <summary>Resident memory of the server at the end; null: this run does not know its processes.</summary>
    public long? ResidentBytes { get; private set; }

    public TimeSpan? Length => Span is { } span ? Stopwatch.GetElapsedTime(span.From, span.Until) : null;

    /// <summary>From any thread; only the first time counts.</summary>
    /// <param name="stamp">The time, as one of <see cref="Stopwatch"/>.</param>
    public void Begin(long stamp)
    {
        lock (_gate)
            _begun ??= At(stamp);
    }

    /// <summary>Likewise, and not before it has begun.</summary>
    public void End(long stamp)
    {
        lock (_gate)
        {
            if (_ended is not null || _begun is null)
                return;
            _ended = At(stamp);
            ResidentBytes = servers.ResidentBytes;
        }
    }

    private (long, TimeSpan?, TimeSpan?) At(long stamp) => (
        stamp, servers.Cpu,
        ProcessUse.OfThisProcess().Cpu + LoadProcesses.Cpu(loadProcesses));
}
