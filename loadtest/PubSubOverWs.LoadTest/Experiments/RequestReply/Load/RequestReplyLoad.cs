using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>Users and providers, all in this process.</summary>
public sealed class RequestReplyLoad : ILoad
{
    private readonly RequestReplyPlan _plan;
    private readonly IReadOnlyList<Flow> _flows;
    private readonly RequestLog _log;
    private readonly RequestReplyClients _clients;
    private readonly SteadyTime _steady;

    /// <param name="plan">What they do.</param>
    /// <param name="flows">Round trip, request and reply.</param>
    /// <param name="servers">Where they connect, spread evenly.</param>
    public RequestReplyLoad(RequestReplyPlan plan, IReadOnlyList<Flow> flows, ServerGroup servers)
    {
        (_plan, _flows, _log) = (plan, flows, new RequestLog(plan.Requests, Stopwatch.GetTimestamp()));
        _clients = new RequestReplyClients(plan, LoadShare.Whole, servers, _log);
        _steady = new SteadyTime(servers, []);
    }

    public IReadOnlyList<IParticipant> Participants => _clients.Participants;

    public Countdown Waiting => _clients.Waiting;

    public LoadBounds Bounds => _clients.Bounds;

    public long Sends => _clients.Sends;

    public TimeSpan DueAt(long send) => _clients.DueAt(send);

    public void Send(long send)
    {
        if (send == _plan.Settling && !_clients.HasGivenUp)
            _steady.Begin(Stopwatch.GetTimestamp());
        _clients.Send(send);
        if (_clients.HasGivenUp || send == Sends - 1)
            _steady.End(Stopwatch.GetTimestamp());
    }

    public Observed Observe(long start, long firstDue)
    {
        var seen = new RequestReplySeen(_plan, _log);
        seen.Add(_clients.Counts);
        return seen.Observe(_flows, _steady, start, firstDue);
    }
}
