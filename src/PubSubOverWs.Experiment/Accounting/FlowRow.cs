using System.Collections;
using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Experiment.Accounting;

/// <summary>What became of the attempts of one flow in one trial.</summary>
public sealed record FlowRow
{
    private static readonly LatencySummary NoLatency = new() { Count = 0 };

    public required Flow Flow { get; init; }

    /// <summary>99th percentile of sent - due over all that was sent: how late the load itself was. Null when nothing was sent.</summary>
    public TimeSpan? ScheduleLagP99 { get; init; }

    /// <summary>Attempts that the load sent more than 20 ms after they were due.</summary>
    public long LateSends { get; init; }

    public Buckets Buckets { get; init; } = new() { Attempts = 0 };

    public Anomalies Anomalies { get; init; }

    public LatencySummary FromDue { get; init; } = NoLatency;

    public LatencySummary FromSent { get; init; } = NoLatency;

    /// <summary>The latency that the flow is judged by.</summary>
    public LatencySummary Latency => Flow.Latency == LatencyFrom.Sent ? FromSent : FromDue;
}

/// <summary>The flows of a trial, in the order of its scenario; alike where all their rows are.</summary>
/// <param name="rows">One at least, and one of them judged.</param>
public sealed class FlowRows(params IEnumerable<FlowRow> rows) : IReadOnlyList<FlowRow>, IEquatable<FlowRows>
{
    private readonly FlowRow[] _rows = [.. rows];

    public int Count => _rows.Length;

    public FlowRow this[int index] => _rows[index];

    /// <summary>The first that is judged: its latency is that of the trial.</summary>
    public FlowRow FirstJudged => Array.Find(_rows, row => row.Flow.Judged) ?? throw new InvalidOperationException("No flow is judged.");

    /// <summary>The same with its only flow changed.</summary>
    /// <exception cref="InvalidOperationException">There are several.</exception>
    public FlowRows With(Func<FlowRow, FlowRow> change) => new(change(_rows.Single()));

    /// <summary>One of them, as if it were the only one.</summary>
    public FlowRows Only(string flow) =>
        new(_rows.Where(row => row.Flow.Name == flow).Select(row => row with { Flow = row.Flow with { Judged = true } }));

    /// <summary>Adds up what is judged; of a single flow it is the flow's own.</summary>
    public T Sum<T>(Func<FlowRow, T> part, Func<T, T, T> add) => _rows.Where(row => row.Flow.Judged).Select(part).Aggregate(add);

    public bool Equals(FlowRows? other) => other is not null && _rows.AsSpan().SequenceEqual(other._rows);

    public override bool Equals(object? obj) => Equals(obj as FlowRows);

    public override int GetHashCode() => _rows.Aggregate(0, HashCode.Combine);

    public IEnumerator<FlowRow> GetEnumerator() => ((IEnumerable<FlowRow>)_rows).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
