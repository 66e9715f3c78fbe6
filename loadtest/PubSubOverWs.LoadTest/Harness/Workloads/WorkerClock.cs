using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>
/// The clock of a load process over one trial. All clocks are monotonic, and count from moments of their own: what a clock shows is read
/// before and after the trial, and taken to run evenly in between.
/// </summary>
public sealed class WorkerClock
{
    // The other clock's reading for the moment at which the first message was due, which it was told: so a latency between clients of one
    // process does not depend on how well its clock is known.
    private readonly long _anchorHere;
    private readonly long _anchorThere;
    private readonly double _excess;

    private WorkerClock()
    {
    }

    /// <param name="before">Before the first message was due.</param>
    /// <param name="after">After the last one.</param>
    /// <param name="firstDue">When the first message was due, by the clock of the run.</param>
    public WorkerClock(ClockReading before, ClockReading after, long firstDue)
    {
        (_anchorHere, _anchorThere) = (firstDue, before.ThereAt(firstDue));
        Offset = TimeOf(before.There - before.Here);
        var passed = after.There - before.There;
        _excess = passed <= 0 ? 0 : (double)(after.Here - before.Here - passed) / passed;
        DriftPpm = 1e6 * _excess;
        Bound = TimeOf(Math.Max(before.Bound, after.Bound) + (long)Math.Abs(_excess * (firstDue - before.Here)));
    }

    /// <summary>The clock of the run itself.</summary>
    public static WorkerClock Same { get; } = new();

    /// <summary>What it shows, less what that of the run shows at the same moment.</summary>
    public TimeSpan Offset { get; }

    /// <summary>A time between two processes is at most so far from the truth.</summary>
    public TimeSpan Bound { get; }

    /// <summary>By how much the clock of the run is faster, in millionths.</summary>
    public double DriftPpm { get; }

    /// <summary>A stamp of it, as one of the run's clock.</summary>
    public long Here(long there)
    {
        var since = there - _anchorThere;
        return _anchorHere + since + (long)(since * _excess);
    }

    public override string ToString() => Invariant(
        $"offset {Offset.TotalMicroseconds:0} us, bound {Bound.TotalMicroseconds:0.0} us, drift {DriftPpm:0.0} ppm");

    /// <inheritdoc cref="Here(long)"/>
    public long? Here(long? there) => there is { } stamp ? Here(stamp) : null;

    private static TimeSpan TimeOf(long stamps) => TimeSpan.FromSeconds(stamps / (double)Stopwatch.Frequency);
}

/// <summary>One moment by two clocks. Stamps are of <see cref="Stopwatch"/>.</summary>
/// <param name="Here">By that of the run.</param>
/// <param name="There">By that of the load process.</param>
/// <param name="Bound">They may be so far apart.</param>
public sealed record ClockReading(long Here, long There, long Bound)
{
    /// <summary>
    /// Of a question and its answer: the other clock was read at some moment between the two, in the middle if both ways took equally long.
    /// </summary>
    public static ClockReading Between(long asked, long answered, long there)
    {
        var half = (answered - asked) / 2;
        return new(asked + half, there, answered - asked - half);
    }

    /// <summary>What the other clock shows, near this moment.</summary>
    public long ThereAt(long here) => There + (here - Here);
}
