using System.Runtime.InteropServices;

namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>
/// The system's clock, with timers that are late by some 0.1 ms. Those of the runtime follow a clock that many Linux kernels move on only
/// every 4 ms, and count whole milliseconds. Callbacks run on one thread, one after the other, and must not wait. Linux only.
/// </summary>
public sealed class FineTime : TimeProvider, IDisposable
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    // A timer that is set while the thread sleeps is seen after this at the latest.
    private static readonly long Grain = System.TimestampFrequency / 1000;

    private readonly object _lock = new();
    private readonly PriorityQueue<(FineTimer Timer, int Setting), long> _set = new();
    private bool _ended;

    public FineTime() => new Thread(Run) { IsBackground = true, Name = "fine timers" }.Start();

    /// <exception cref="NotSupportedException">The timer is periodic.</exception>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new FineTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>No timer fires any more.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _ended = true;
            Monitor.Pulse(_lock);
        }
    }

    private void Run()
    {
        while (Next() is { } next)
        {
            if (next.Timer is { } due)
                due.Fire();
            else
                Sleep(next.Wait);
        }
    }

    // A timer that is due, or how long to sleep before the next look. Null: it has ended.
    private (FineTimer? Timer, long Wait)? Next()
    {
        lock (_lock)
        {
            while (!_ended)
            {
                if (!_set.TryPeek(out var next, out var at))
                {
                    Monitor.Wait(_lock);
                }
                else if (next.Setting != next.Timer.Setting)
                {
                    _set.Dequeue();
                }
                else
                {
                    var wait = at - GetTimestamp();
                    if (wait > 0)
                        return (null, Math.Min(wait, Grain));
                    _set.Dequeue();
                    return (next.Timer, 0);
                }
            }

            return null;
        }
    }

    private static void Sleep(long ticks)
    {
        var time = new Timespec { Nanoseconds = ticks * NanosecondsPerSecond / System.TimestampFrequency };
        _ = NanoSleep(ref time, IntPtr.Zero);
    }

    [DllImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int NanoSleep(ref Timespec time, IntPtr left);

    private struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;
    }

    private sealed class FineTimer(FineTime time, Action fire) : ITimer
    {
        /// <summary>Raised by each change, so that earlier settings do not count.</summary>
        public int Setting { get; private set; }

        public void Fire() => fire();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (period != Timeout.InfiniteTimeSpan && period != TimeSpan.Zero)
                throw new NotSupportedException("A fine timer fires once.");
            lock (time._lock)
            {
                Setting++;
                if (dueTime != Timeout.InfiniteTimeSpan)
                {
                    time._set.Enqueue((this, Setting), time.GetTimestamp() + (long)(dueTime.TotalSeconds * System.TimestampFrequency));
                    Monitor.Pulse(time._lock);
                }
            }

            return true;
        }

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
