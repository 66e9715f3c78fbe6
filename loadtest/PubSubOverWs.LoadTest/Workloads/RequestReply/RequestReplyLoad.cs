using System.Diagnostics;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.RequestReply;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Workloads.RequestReply;

/// <summary>Users and providers. What an arm does not answer in time is not asked of it for ever: the load gives up.</summary>
public sealed class RequestReplyLoad : ILoad
{
    private readonly RequestReplyPlan _plan;
    private readonly IReadOnlyList<Flow> _flows;
    private readonly byte[][] _topics;
    private readonly Provider[] _providers;
    private readonly Requester[] _users;
    private readonly RequestLog _log;
    private readonly Unanswered _unanswered;
    private readonly SteadyTime _steady;
    private int _notSent;

    /// <param name="plan">What they do.</param>
    /// <param name="flows">Round trip, request and reply.</param>
    /// <param name="servers">Where they connect, spread evenly.</param>
    public RequestReplyLoad(RequestReplyPlan plan, IReadOnlyList<Flow> flows, ServerGroup servers)
    {
        (_plan, _flows, _topics) = (plan, flows, plan.ProviderTopics());
        (_log, _steady) = (new RequestLog(plan.Requests), new SteadyTime(servers));
        _unanswered = new Unanswered(Waiting);
        _providers = [.. Enumerable.Range(0, plan.Providers).Select(i => new Provider(i, plan, servers.TargetOf(i), _log))];
        _users = [.. Enumerable.Range(0, plan.Users).Select(i => new Requester(i, plan, servers.TargetOf(i), _log, _unanswered))];
        Participants = [.. _providers, .. _users];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; } = new(1);

    public LoadBounds Bounds => new(_plan.Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends => _plan.Requests;

    // Once it gave up, what is left is passed over at once.
    public TimeSpan DueAt(long send) => _notSent > 0 ? TimeSpan.Zero : _plan.DueAt(send);

    public void Send(long send)
    {
        var request = (int)send;
        if (request == _plan.Settling && _notSent == 0)
            _steady.Begin();
        if (_notSent > 0 || _unanswered.Count > _plan.MostUnansweredAt(request))
        {
            _notSent++;
            _steady.End();
        }
        else
        {
            _users[_plan.UserOf(request)].Send(request, _topics[_plan.ProviderOf(request)]);
        }

        if (request < _plan.Requests - 1)
            return;
        _steady.End();
        _unanswered.AllSent();
    }

    public Observed Observe(long start, long firstDue)
    {
        FlowAccount[] accounts = [.. _flows.Select(flow => new FlowAccount(flow, _plan.Deadline))];
        var seen = new RequestObserver(_plan, _log, start, firstDue, FailureOf);
        for (var request = _plan.Settling; request < _plan.Requests; request++)
        {
            accounts[0].Add(seen.RoundTrip(request));
            accounts[1].Add(seen.Request(request));
            accounts[2].Add(seen.Reply(request));
        }

        var (requests, replies) = (Sum(_providers), Sum(_users));
        return new Observed(
            [], [requests.Add(replies), requests, replies], 0,
            Observed.Count(_providers.Concat<NumberedClient>(_users).Select(one => one.Failure), _plan.Name))
        {
            Counted = accounts,
            Measures = Measures(firstDue),
        };

        static Anomalies Sum(IEnumerable<NumberedClient> all) => all.Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Anomalies));
    }

    private Cause FailureOf(int request) =>
        (_users[_plan.UserOf(request)].Failure ?? _providers[_plan.ProviderOf(request)].Failure)?.Cause ?? Cause.None;

    private Dictionary<string, double?> Measures(long firstDue)
    {
        var counted = (_plan.DueAt(_plan.Requests) - _plan.DueAt(_plan.Settling)).TotalSeconds;
        var answered = _log.Count(Moment.Returned, After(_plan.DueAt(_plan.Settling)), After(_plan.DueAt(_plan.Requests)));
        return new()
        {
            [RequestReplyScenario.Answered.Name] = answered / counted,
            [RequestReplyScenario.PerCoreSecond.Name] = _steady is { Span: { } span, ServerCpu: { Ticks: > 0 } cpu }
                ? _log.Count(Moment.Returned, span.From, span.Until) / cpu.TotalSeconds
                : null,
            [RequestReplyScenario.ServerBusy.Name] = 100 * (_steady.ServerCpu / _steady.Length),
            [RequestReplyScenario.LoadBusy.Name] = 100 * (_steady.LoadCpu / _steady.Length),
            [RequestReplyScenario.Resident.Name] = _steady.ResidentBytes / (double)(1 << 20),
            [RequestReplyScenario.NotSent.Name] = _notSent,
        };

        long After(TimeSpan time) => firstDue + (long)(time.TotalSeconds * Stopwatch.Frequency);
    }
}
