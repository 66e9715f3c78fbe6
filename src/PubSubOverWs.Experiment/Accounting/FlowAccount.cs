using System.Runtime.InteropServices;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Latency;

namespace PubSubOverWs.Experiment.Accounting;

/// <summary>
/// Adds up one flow of a trial: its buckets, latencies and late sends, exactly. A workload with very many attempts tells it of each and
/// keeps none of them: 16 bytes remain of an attempt that was delivered. Not for several threads.
/// </summary>
/// <param name="flow">Decides which latency is in <see cref="Latencies"/>.</param>
/// <param name="deadline">From due; what comes later is late.</param>
public sealed class FlowAccount(Flow flow, TimeSpan deadline)
{
    private readonly BucketTally _buckets = new();
    private readonly Dictionary<TimeSpan, long> _lags = [];
    private readonly LatencyTally _fromDue = new(deadline);
    private readonly LatencyTally _fromSent = new(deadline);
    private long _acknowledged;

    /// <summary>What latency/ gets: all that was delivered.</summary>
    public LatencyHistogram Latencies { get; } = new();

    /// <summary>False: something was received before it was sent.</summary>
    public bool ClockMonotonic { get; private set; } = true;

    /// <summary>Those of a trial, from observations and what the <see cref="Accountant"/> made of them.</summary>
    /// <param name="flows">Of the scenario.</param>
    /// <param name="deadline">From due.</param>
    /// <param name="seen">All of the trial.</param>
    /// <param name="attempts">In the order of <paramref name="seen"/>.</param>
    public static IReadOnlyList<FlowAccount> Of(
        IReadOnlyList<Flow> flows, TimeSpan deadline, IReadOnlyList<Observation> seen, IReadOnlyList<Attempt> attempts)
    {
        FlowAccount[] accounts = [.. flows.Select(flow => new FlowAccount(flow, deadline))];
        for (var i = 0; i < attempts.Count; i++)
            accounts[attempts[i].Flow].Add(attempts[i], seen[i].Taken, 1);
        return accounts;
    }

    /// <summary>Lays what the queue still counts on what is missing, in the order of <see cref="Accountant.Classify(IReadOnlyList{
    /// Observation}, TimeSpan, QueueRemains)"/>.</summary>
    public static void Lay(QueueRemains remains, IReadOnlyList<FlowAccount> flows)
    {
        var (dead, still) = (remains.DeadLettered, remains.StillQueued);
        foreach (var missing in new[] { Outcome.LostAcknowledged, Outcome.LostUnacknowledged })
        {
            foreach (var flow in flows)
            {
                dead -= flow._buckets.Move(missing, Outcome.DeadLettered, dead);
                still -= flow._buckets.Move(missing, Outcome.StillQueued, still);
            }
        }
    }

    /// <summary>
    /// Counts the latency of an attempt that was delivered. A negative reading counts as 0 and one above an hour as an hour: samples/ and
    /// the row have them exactly.
    /// </summary>
    public static void Count(in Attempt attempt, LatencyFrom from, LatencyHistogram histogram, long times = 1)
    {
        if (attempt.Outcome == Outcome.Delivered && attempt.Latency(from) is { } latency)
            histogram.TryRecord(TimeSpan.FromTicks(Math.Clamp(latency.Ticks, 0, LatencyHistogram.Longest.Ticks)), times);
    }

    /// <summary>Counts an attempt. Its id, publisher and recipient are of no importance.</summary>
    /// <param name="seen">What the load saw.</param>
    /// <param name="times">How many attempts are alike, such as those of one message that nobody received.</param>
    /// <returns>Its bucket, as long as nothing is known of what the queue still has.</returns>
    public Outcome Add(in Observation seen, long times = 1)
    {
        var attempt = Accountant.Classify(seen, deadline, QueueState.Gone);
        Add(attempt, seen.Taken, times);
        return attempt.Outcome;
    }

    /// <summary>All of it.</summary>
    /// <param name="anomalies">What stands beside the buckets.</param>
    public FlowRow Row(Anomalies anomalies) => new()
    {
        Flow = flow,
        ScheduleLagP99 = LagP99(),
        LateSends = _lags.Where(lag => lag.Key > Accounting.Latencies.LargestLag).Sum(lag => lag.Value),
        Buckets = _buckets.Sum(_acknowledged),
        Anomalies = anomalies,
        FromDue = _fromDue.Sum(),
        FromSent = _fromSent.Sum(),
    };

    private void Add(in Attempt attempt, bool taken, long times)
    {
        var isDelivered = attempt.Outcome == Outcome.Delivered;
        _buckets.Add(attempt, times);
        _acknowledged += taken ? times : 0;
        ClockMonotonic &= !(attempt.Received < attempt.Sent);
        if (attempt.Sent - attempt.Due is { } lag)
            CollectionsMarshal.GetValueRefOrAddDefault(_lags, lag, out _) += times;
        _fromDue.Add(isDelivered ? attempt.LatencyFromDue : null, times);
        _fromSent.Add(isDelivered ? attempt.LatencyFromSent : null, times);
        Count(attempt, flow.Latency, Latencies, times);
    }

    private TimeSpan? LagP99()
    {
        var sent = _lags.Values.Sum();
        if (sent == 0)
            return null;
        var left = Accounting.Latencies.Rank((int)sent, 0.99) + 1L;
        foreach (var (lag, times) in _lags.OrderBy(one => one.Key))
        {
            left -= times;
            if (left <= 0)
                return lag;
        }
        throw new InvalidOperationException("The 99th percentile lies beyond all lags.");
    }
}
