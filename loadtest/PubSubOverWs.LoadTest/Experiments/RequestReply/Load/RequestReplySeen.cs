using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>What all clients of an iteration have seen, in one process or in several.</summary>
/// <param name="plan">Of the iteration.</param>
/// <param name="log">Of all requests.</param>
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
    public void Merge(RequestReplyAccount account, LoadShare share)
    {
        if (account.Requests != plan.Requests)
            throw new InvalidDataException($"it is about {account.Requests} requests, and the iteration has {plan.Requests}");
        var stranger = account.Counts.Users.Where(failure => !share.Has(failure.Client, plan.Users))
            .Concat(account.Counts.Providers.Where(failure => !share.Has(failure.Client, plan.Providers))).FirstOrDefault();
        if (stranger is not null)
            throw new InvalidDataException($"it has no client {stranger.Client}");
        log.Merge(account.Stamps, (moment, request) => share.Has(
            moment is Moment.Sent or Moment.Returned ? plan.UserOf(request) : plan.ProviderOf(request)));
        Add(account.Counts);
    }

    /// <param name="flows">Round trip, request and reply.</param>
    /// <param name="steady">What it cost.</param>
    /// <param name="start">The iteration's start, a stamp of <see cref="Stopwatch"/>.</param>
    /// <param name="firstDue">Likewise.</param>
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
