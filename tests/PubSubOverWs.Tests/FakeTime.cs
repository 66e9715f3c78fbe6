namespace PubSubOverWs.Tests;

/// <summary>
/// A clock that stands still until a test moves it. Timers that fall due run inside <see cref="Advance"/>, in the order of their due times,
/// and so does what awaits them, unless it was started under a synchronization context (as test methods are: see <see cref="Start"/>).
/// </summary>
public sealed class FakeTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<Timer> _timers = [];
    private TimeSpan _steps;
    private DateTimeOffset _now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <summary>How many timers are set: a test can see that something waits before it moves the clock.</summary>
    public int TimersSet
    {
        get
        {
            lock (_lock)
                return _timers.Count;
        }
    }

    /// <summary>How long until the next timer falls due; null: none is set. It tells what waits: a pause, or a call's patience.</summary>
    public TimeSpan? UntilNextTimer
    {
        get
        {
            lock (_lock)
                return _timers.Count == 0 ? null : _timers.Min(timer => timer.Due) - _now;
        }
    }

    /// <summary>Acts as another thread, once: between the reading of the clock for the next timer and the setting of that timer.</summary>
    public Action? BeforeNextTimer { get; set; }

    public override DateTimeOffset GetUtcNow()
    {
        lock (_lock)
            return _now + _steps;
    }

    public override long GetTimestamp()
    {
        lock (_lock)
            return _now.UtcTicks;
    }

    /// <summary>The wall clock is set to another time: no time passes, and timers and timestamps go on as before.</summary>
    public void Step(TimeSpan by)
    {
        lock (_lock)
            _steps += by;
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    public void Advance(TimeSpan by)
    {
        var until = new DateTimeOffset(GetTimestamp(), TimeSpan.Zero) + by;
        var context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            while (TakeDue(until) is { } due)
                due.Fire();
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }
    }

    /// <summary>Moves the clock as for a process that stood still: what fell due meanwhile fires now, late.</summary>
    public void Leap(TimeSpan by)
    {
        lock (_lock)
            _now += by;
        Advance(TimeSpan.Zero);
    }

    /// <summary>Starts a call so that what it does after its waits happens inside <see cref="Advance"/>.</summary>
    public static Task<T> Start<T>(Func<ValueTask<T>> call)
    {
        var context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            return call().AsTask();
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }
    }

    private Timer? TakeDue(DateTimeOffset until)
    {
        lock (_lock)
        {
            var next = _timers.MinBy(timer => timer.Due);
            if (next is null || next.Due > until)
            {
                // In one step with the look at the timers: one that another thread sets is due from before or from after.
                _now = until > _now ? until : _now;
                return null;
            }
            _now = next.Due > _now ? next.Due : _now;
            if (next.Period > TimeSpan.Zero)
                next.Due += next.Period;
            else
                _timers.Remove(next);
            return next;
        }
    }

    private sealed class Timer(FakeTime time, Action fire) : ITimer
    {
        public DateTimeOffset Due { get; set; }

        public TimeSpan Period { get; private set; }

        public void Fire() => fire();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (dueTime != Timeout.InfiniteTimeSpan && time.BeforeNextTimer is { } before)
            {
                time.BeforeNextTimer = null;
                before();
            }
            lock (time._lock)
            {
                time._timers.Remove(this);
                Period = period;
                if (dueTime == Timeout.InfiniteTimeSpan)
                    return true;
                Due = time._now + dueTime;
                time._timers.Add(this);
                return true;
            }
        }

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
