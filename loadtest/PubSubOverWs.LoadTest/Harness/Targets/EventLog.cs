using System.Collections.Concurrent;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>Writes events.csv with times from the start of the run.</summary>
/// <param name="writer">The record; null: nothing is recorded.</param>
/// <param name="started">UTC start of the run, which for a resumed run was before this process.</param>
public sealed class EventLog(RecordWriter? writer, DateTimeOffset started, TimeProvider time)
{
    private readonly TimeSpan _before = time.GetUtcNow() - started;
    private readonly long _here = time.GetTimestamp();

    private readonly List<EventRow> _queuesLeft = [];

    // Faults may add some while a trial runs.
    private readonly ConcurrentQueue<EventRow> _notTaken = [];

    /// <summary>Queues that could not be deleted.</summary>
    public IReadOnlyList<EventRow> QueuesLeft => _queuesLeft;

    /// <summary>From the start of the run.</summary>
    public TimeSpan Now => _before + time.GetElapsedTime(_here);

    public void Add(string kind, string target, FormattableString detail) => Write(kind, target, detail);

    public void AddQueueLeft(string name, string why) => _queuesLeft.Add(Write("queue-not-deleted", name, $"{why}"));

    /// <summary>What was added since the last call.</summary>
    public IReadOnlyList<EventRow> TakeNew()
    {
        var taken = new List<EventRow>();
        while (_notTaken.TryDequeue(out var row))
            taken.Add(row);
        return taken;
    }

    private EventRow Write(string kind, string target, FormattableString detail)
    {
        var row = new EventRow(Now, kind, target, detail.ToString(CultureInfo.InvariantCulture));
        writer?.Add(row);
        _notTaken.Enqueue(row);
        return row;
    }
}
