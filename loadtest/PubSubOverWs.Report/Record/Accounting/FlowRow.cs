using System.Collections;

namespace PubSubOverWs.Record.Accounting;

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

    /// <summary>Sums a value over the judged flows.</summary>
    public T Sum<T>(Func<FlowRow, T> part, Func<T, T, T> add) => _rows.Where(row => row.Flow.Judged).Select(part).Aggregate(add);

    public bool Equals(FlowRows? other) => other is not null && _rows.AsSpan().SequenceEqual(other._rows);

    public override bool Equals(object? obj) => Equals(obj as FlowRows);

    public override int GetHashCode() => _rows.Aggregate(0, HashCode.Combine);

    public IEnumerator<FlowRow> GetEnumerator() => ((IEnumerable<FlowRow>)_rows).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
