using System.Buffers.Binary;
using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>When what happened to each request: 16 bytes for each of them, whole microseconds. Thread-safe.</summary>
/// <param name="requests">Numbered from 0.</param>
/// <param name="origin">A stamp of <see cref="Stopwatch"/>, before all of them.</param>
public sealed class RequestLog(int requests, long origin)
{
    // The number of a request, and what it has as its stamp.
    private const int EntryBytes = 2 * sizeof(int);


    // 0: it did not happen; else one more than the microseconds since the origin, which an int holds for half an hour.
    private readonly int[][] _stamps = [.. Enum.GetValues<Moment>().Select(_ => new int[requests])];

    /// <summary>From which times count.</summary>
    public long Origin => origin;

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
        var first = Microseconds(from);
        var last = Microseconds(until);
        return _stamps[(int)moment].Count(stamp => stamp > first && stamp <= last);
    }

    /// <summary>All that happened, for <see cref="Merge"/> in another process. Not while anything is marked.</summary>
    public byte[] Write()
    {
        var bytes = new byte[_stamps.Sum(moment => sizeof(int) + (EntryBytes * moment.Count(stamp => stamp != 0)))];
        var rest = bytes.AsSpan();
        foreach (var moment in _stamps)
        {
            rest = Append(rest, moment.Count(stamp => stamp != 0));
            for (var request = 0; request < requests; request++)
            {
                if (moment[request] != 0)
                    rest = Append(Append(rest, request), moment[request]);
            }
        }

        return bytes;
    }

    /// <summary>Adds what another log of the same requests has: nothing is rounded where both have one clock and one origin.</summary>
    /// <param name="written">By <see cref="Write"/>.</param>
    /// <param name="itsOrigin">From which its times count, by its clock.</param>
    /// <param name="clock">Of the process that has written it.</param>
    /// <param name="mayHave">Whether the other log may have a moment of a request.</param>
    /// <exception cref="InvalidDataException">It is cut, or has what it may not have, or what this log has already.</exception>
    public void Merge(ReadOnlySpan<byte> written, long itsOrigin, WorkerClock clock, Func<Moment, int, bool> mayHave)
    {
        foreach (var moment in Enum.GetValues<Moment>())
        {
            for (var left = Next(ref written); left > 0; left--)
                Add(moment, Next(ref written), Here(Next(ref written)), mayHave);
        }

        if (written.Length > 0)
            throw new InvalidDataException($"{written.Length} bytes are left over");

        // A stamp that no log has stays one.
        int Here(int stamp) => stamp <= 0
            ? stamp
            : Microseconds(clock.Here(itsOrigin + (long)((stamp - 1) * (Stopwatch.Frequency / 1e6)))) + 1;
    }

    private void Add(Moment moment, int request, int stamp, Func<Moment, int, bool> mayHave)
    {
        if (request < 0 || request >= requests || stamp <= 0 || !mayHave(moment, request))
            throw new InvalidDataException($"its clients cannot have seen '{moment}' of request {request} at {stamp} us");
        if (_stamps[(int)moment][request] != 0)
            throw new InvalidDataException($"'{moment}' of request {request} is known already");
        _stamps[(int)moment][request] = stamp;
    }

    private static Span<byte> Append(Span<byte> to, int value)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to, value);
        return to[sizeof(int)..];
    }

    private static int Next(ref ReadOnlySpan<byte> from)
    {
        if (from.Length < sizeof(int))
            throw new InvalidDataException("it is cut");
        var value = BinaryPrimitives.ReadInt32LittleEndian(from);
        from = from[sizeof(int)..];
        return value;
    }

    private int Microseconds(long stamp) => (int)(Stopwatch.GetElapsedTime(origin, stamp).Ticks / TimeSpan.TicksPerMicrosecond);
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
