using System.Numerics;

namespace PubSubOverWs.Record.Latency;

/// <summary>
/// Counts latencies in HdrHistogram's log-linear layout: 0 to 1 h in microseconds, three significant digits, in 184 KiB however many there
/// are. Percentiles are never averaged: histograms merge.
/// </summary>
public sealed class LatencyHistogram
{
    /// <summary>Digits that a value keeps: it is known to 1 in 1,000, or to the microsecond that it is rounded down to.</summary>
    public const int SignificantDigits = 3;

    // Values up to here have a count of their own: the power of two from 2 * 10^3 on.
    private const int SubBuckets = 2048;
    private const int HalfBits = 10;
    private readonly long[] _counts = new long[Cells];

    /// <summary>Longer latencies are not counted.</summary>
    public static TimeSpan Longest { get; } = TimeSpan.FromHours(1);

    internal static int Cells { get; } = Index((long)Longest.TotalMicroseconds) + 1;

    public long Count { get; private set; }

    /// <summary>Null while nothing was counted.</summary>
    public TimeSpan? Max => Count == 0 ? null : Microseconds(HighestAt(Array.FindLastIndex(_counts, count => count > 0)));

    internal ReadOnlySpan<long> Counts => _counts;

    /// <summary>Counts a latency, in whole microseconds rounded down.</summary>
    /// <returns>False: it is negative or above <see cref="Longest"/> and was not counted; the caller keeps such readings.</returns>
    public bool TryRecord(TimeSpan latency, long times = 1)
    {
        if (latency < TimeSpan.Zero || latency > Longest)
            return false;
        Add(Index((long)latency.TotalMicroseconds), times);
        return true;
    }

    /// <summary>The smallest value that at least this share of all does not exceed, at the upper end of what counts as equal.</summary>
    /// <param name="share">0 to 1; 0.99 is p99.</param>
    /// <returns>Null while nothing was counted.</returns>
    public TimeSpan? ValueAt(double share)
    {
        if (Count == 0)
            return null;
        var left = Rank(share, Count);
        var index = -1;
        while (left > 0)
            left -= _counts[++index];
        return Microseconds(HighestAt(index));
    }

    /// <summary>Nearest rank, from 1: the place of the smallest value that at least this share of all does not exceed.</summary>
    internal static long Rank(double share, long count) => Math.Clamp((long)Math.Ceiling((share * count) - 1e-9), 1, count);

    /// <summary>The highest value, in microseconds, that is counted at an index.</summary>
    internal static long HighestAt(int index)
    {
        var (first, size) = RangeAt(index);
        return first + size - 1;
    }

    /// <summary>The middle of the values that an index counts, in microseconds.</summary>
    internal static double MiddleAt(int index)
    {
        var (first, size) = RangeAt(index);
        return first + (size / 2);
    }

    internal void Add(int index, long times)
    {
        _counts[index] += times;
        Count += times;
    }

    internal static int Index(long microseconds)
    {
        var bucket = 64 - BitOperations.LeadingZeroCount((ulong)(microseconds | (SubBuckets - 1))) - HalfBits - 1;
        return (bucket << HalfBits) + (int)(microseconds >> bucket);
    }

    private static (long First, long Size) RangeAt(int index)
    {
        var bucket = Math.Max(0, (index >> HalfBits) - 1);
        return ((long)(index - (bucket << HalfBits)) << bucket, 1L << bucket);
    }

    private static TimeSpan Microseconds(long value) => TimeSpan.FromTicks(value * TimeSpan.TicksPerMicrosecond);
}
