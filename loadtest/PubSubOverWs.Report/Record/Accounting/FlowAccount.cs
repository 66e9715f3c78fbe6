using System.Collections;
using System.Runtime.InteropServices;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Record.Accounting;

/// <summary>
/// Sums one flow of a trial exactly: its buckets, latencies and late sends. It keeps 16 bytes of each delivered attempt, so that a workload
/// with very many attempts need not keep them. Not thread-safe.
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

    /// <summary>Latencies of delivered messages, for latency.hlog.</summary>
    public LatencyHistogram Latencies { get; } = new();

    /// <summary>False: a message was received before it was sent.</summary>
    public bool ClockMonotonic { get; private set; } = true;

    /// <param name="deadline">From due.</param>
    /// <param name="attempts">As the <see cref="Accountant"/> classified them, in the order of <paramref name="seen"/>.</param>
    public static IReadOnlyList<FlowAccount> From(
        IReadOnlyList<Flow> flows, TimeSpan deadline, IReadOnlyList<Observation> seen, IReadOnlyList<Attempt> attempts)
    {
        FlowAccount[] accounts = [.. flows.Select(flow => new FlowAccount(flow, deadline))];
        for (var i = 0; i < attempts.Count; i++)
            accounts[attempts[i].Flow].Add(attempts[i], seen[i].Taken, 1);
        return accounts;
    }

    /// <summary>
    /// Assigns messages left in the queue to missing ones, in the order of
    /// <see cref="Accountant.Classify(IReadOnlyList{Observation}, TimeSpan, QueueRemains)"/>.
    /// </summary>
    public static void Assign(QueueRemains remains, IReadOnlyList<FlowAccount> flows)
    {
        var dead = remains.DeadLettered;
        var still = remains.StillQueued;
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
    /// Counts the latency of a delivered attempt. A negative reading counts as 0, and one above an hour as an hour: samples and row have
    /// the exact values.
    /// </summary>
    public static void Count(in Attempt attempt, LatencyFrom from, LatencyHistogram histogram, long times = 1)
    {
        if (attempt.Outcome == Outcome.Delivered && attempt.Latency(from) is { } latency)
            histogram.TryRecord(TimeSpan.FromTicks(Math.Clamp(latency.Ticks, 0, LatencyHistogram.Longest.Ticks)), times);
    }

    /// <summary>Counts an attempt. Its id, publisher and recipient do not matter.</summary>
    /// <param name="times">How many such attempts there were, such as those of one message that no subscriber received.</param>
    /// <returns>Its bucket, without what the queue still has.</returns>
    public Outcome Add(in Observation seen, long times = 1)
    {
        var attempt = Accountant.Classify(seen, deadline);
        Add(attempt, seen.Taken, times);
        return attempt.Outcome;
    }

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
        var left = LatencyHistogram.Rank(0.99, sent);
        foreach (var (lag, times) in _lags.OrderBy(one => one.Key))
        {
            left -= times;
            if (left <= 0)
                return lag;
        }
        throw new InvalidOperationException("The 99th percentile lies beyond all lags.");
    }
}

/// <summary>Outcomes and latencies of one flow in one trial.</summary>
public sealed record FlowRow
{
    private static readonly LatencySummary NoLatency = new() { Count = 0 };

    public required Flow Flow { get; init; }

    /// <summary>99th percentile of sent - due: the delay of the load itself. Null: nothing was sent.</summary>
    public TimeSpan? ScheduleLagP99 { get; init; }

    /// <summary>Attempts sent more than 20 ms after due.</summary>
    public long LateSends { get; init; }

    public Buckets Buckets { get; init; } = new() { Attempts = 0 };
    public Anomalies Anomalies { get; init; }
    public LatencySummary FromDue { get; init; } = NoLatency;
    public LatencySummary FromSent { get; init; } = NoLatency;

    public LatencySummary Latency => Flow.Latency == LatencyFrom.Sent ? FromSent : FromDue;
}

/// <summary>The flows of a trial, in the order of its scenario. Compared by value.</summary>
/// <param name="rows">At least one, of which at least one is judged.</param>
public sealed class FlowRows(params IEnumerable<FlowRow> rows) : IReadOnlyList<FlowRow>, IEquatable<FlowRows>
{
    private readonly FlowRow[] _rows = [.. rows];

    public int Count => _rows.Length;

    public FlowRow this[int index] => _rows[index];

    /// <summary>The first judged flow, whose latency is that of the trial.</summary>
    public FlowRow FirstJudged => Array.Find(_rows, row => row.Flow.Judged) ?? throw new InvalidOperationException("No flow is judged.");

    /// <summary>A copy with its only flow changed.</summary>
    /// <exception cref="InvalidOperationException">There are several flows.</exception>
    public FlowRows With(Func<FlowRow, FlowRow> change) => new(change(_rows.Single()));

    /// <summary>One flow, judged, without the others.</summary>
    public FlowRows Only(string flow) =>
        new(_rows.Where(row => row.Flow.Name == flow).Select(row => row with { Flow = row.Flow with { Judged = true } }));

    public T Sum<T>(Func<FlowRow, T> part, Func<T, T, T> add) => _rows.Where(row => row.Flow.Judged).Select(part).Aggregate(add);

    public bool Equals(FlowRows? other) => other is not null && _rows.AsSpan().SequenceEqual(other._rows);

    public override bool Equals(object? obj) => Equals(obj as FlowRows);

    public override int GetHashCode() => _rows.Aggregate(0, HashCode.Combine);

    public IEnumerator<FlowRow> GetEnumerator() => ((IEnumerable<FlowRow>)_rows).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
