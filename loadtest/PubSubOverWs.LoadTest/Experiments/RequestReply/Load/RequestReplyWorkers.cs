using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

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

    /// <param name="order">What they do.</param>
    /// <param name="workers">One for each share.</param>
    /// <param name="servers">Where they connect, spread evenly.</param>
    /// <param name="steady">What it costs.</param>
    public RequestReplyWorkers(
        RequestReplyScenario scenario, RequestReplyOrder order, IReadOnlyList<LoadWorker> workers, ServerGroup servers, SteadyTime steady)
        : base(
            order, scenario.Kind.Name, servers, workers, order.Plan.Users + order.Plan.Providers,
            [order.Plan.DueAt(order.Plan.Settling), order.Plan.DueAt(order.Plan.Requests - 1)]) =>
        (_scenario, _order, _steady) = (scenario, order, steady);

    protected override TimeSpan Deadline => _order.Plan.Deadline;

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
/// <param name="Origin">From which the stamps of all logs count: of the machine's monotonic clock.</param>
public sealed record RequestReplyOrder(RequestReplyPlan Plan, long Origin);
