using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>
/// The system's clock, with timers that are late by some 0.1 ms. Those of the runtime follow a clock that many Linux kernels move on only
/// every 4 ms, and count whole milliseconds. Callbacks run on one thread, one after the other, and must not wait. Linux only.
/// </summary>
public sealed class FineTime : TimeProvider, IDisposable
{
    private readonly TimeProvider _clock;
    private readonly Action<long>? _sleepUntil;

    // A timer that is set while the thread sleeps is seen after this at the latest.
    private readonly long _grain;

    private readonly object _lock = new();
    private readonly PriorityQueue<(FineTimer Timer, int Setting), long> _set = new();
    private bool _ended;

    public FineTime()
        : this(System, sleepUntil: null)
    {
    }

    /// <param name="sleepUntil">Has the thread of the timers sleep until a stamp of the clock; null: that of the system.</param>
    internal FineTime(TimeProvider clock, Action<long>? sleepUntil)
    {
        _clock = clock;
        _sleepUntil = sleepUntil;
        _grain = clock.TimestampFrequency / 1000;
        new Thread(Run) { IsBackground = true, Name = "fine timers" }.Start();
    }

    public override long TimestampFrequency => _clock.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => _clock.GetUtcNow();

    public override long GetTimestamp() => _clock.GetTimestamp();

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
        var sleepUntil = _sleepUntil ?? Exactly();
        while (Next() is { } next)
        {
            if (next.Timer is { } due)
                due.Fire();
            else
                sleepUntil(next.Look);
        }
    }

    // A timer that is due, or until when to sleep before the next look. Null: it has ended.
    private (FineTimer? Timer, long Look)? Next()
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
                    var now = GetTimestamp();
                    if (at > now)
                        return (null, Math.Min(at, now + _grain));
                    _set.Dequeue();
                    return (next.Timer, 0);
                }
            }

            return null;
        }
    }

    private static Action<long> Exactly()
    {
        var wait = new ExactWait(TimeSpan.Zero);
        return until => wait.Until(until, CancellationToken.None);
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
                    time._set.Enqueue((this, Setting), time.GetTimestamp() + (long)(dueTime.TotalSeconds * time.TimestampFrequency));
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
