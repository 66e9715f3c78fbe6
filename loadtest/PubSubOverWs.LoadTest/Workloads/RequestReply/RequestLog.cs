using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Workloads.RequestReply;

/// <summary>When what happened to each request: 16 bytes for each of them, whole microseconds. Thread-safe.</summary>
/// <param name="requests">Numbered from 0.</param>
public sealed class RequestLog(int requests)
{
    // 0: it did not happen; else one more than the microseconds since the log was made, which an int holds for half an hour.
    private readonly int[][] _stamps = [.. Enum.GetValues<Moment>().Select(_ => new int[requests])];

    /// <summary>A stamp of <see cref="Stopwatch"/>, from which times count.</summary>
    public long Origin { get; } = Stopwatch.GetTimestamp();

    public int Requests => requests;

    /// <summary>False: it happened before, and the first time counts.</summary>
    /// <param name="stamp">Of <see cref="Stopwatch"/>.</param>
    public bool TryMark(Moment moment, int request, long stamp) => Interlocked.CompareExchange(
        ref _stamps[(int)moment][request], Microseconds(stamp) + 1, 0) == 0;

    /// <summary>From <see cref="Origin"/>; null: it did not happen.</summary>
    public TimeSpan? this[Moment moment, int request] =>
        _stamps[(int)moment][request] is not 0 and var stamp ? TimeSpan.FromMicroseconds(stamp - 1) : null;

    /// <summary>How often it happened from one stamp of <see cref="Stopwatch"/> until before another.</summary>
    public int Count(Moment moment, long from, long until)
    {
        var (first, last) = (Microseconds(from), Microseconds(until));
        return _stamps[(int)moment].Count(stamp => stamp > first && stamp <= last);
    }

    private int Microseconds(long stamp) => (int)(Stopwatch.GetElapsedTime(Origin, stamp).Ticks / TimeSpan.TicksPerMicrosecond);
}

/// <summary>What happens to a request, in order.</summary>
public enum Moment
{
    /// <summary>Its user handed it to the socket.</summary>
    Sent,

    /// <summary>It came to its provider.</summary>
    Arrived,

    /// <summary>Its provider answered.</summary>
    Replied,

    /// <summary>The reply came to its user.</summary>
    Returned,
}
