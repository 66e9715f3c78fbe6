namespace PubSubOverWs.Relay;

/// <summary>
/// The time that peers are given to do something. It stands still while this process does, because it is stopped, its machine sleeps or a
/// collection takes seconds: what came meanwhile has not been read (docs/decisions/0209). Safe from any thread.
/// </summary>
/// <param name="time">Goes on: for what others expect of this server, and for leases, which the queue counts.</param>
public sealed class AwakeTime(TimeProvider time) : TimeProvider
{
    private const long Unknown = long.MaxValue;

    private readonly long _period = (long)(TimerWheel.Period.TotalSeconds * time.TimestampFrequency);

    // How far this clock goes without a turn: one that comes later, by more than a period, ends a pause.
    private long _until = Unknown;
    private long _paused;
    private long _judgesFrom;
    private bool _wasLate;

    public override long TimestampFrequency => time.TimestampFrequency;

    public override TimeZoneInfo LocalTimeZone => time.LocalTimeZone;

    /// <summary>How much less than the other clock's the stamps of this one are.</summary>
    internal long Paused => Volatile.Read(ref _paused);

    public override DateTimeOffset GetUtcNow() => time.GetUtcNow();

    public override long GetTimestamp()
    {
        // In this order: beside a turn that ends a pause the stamp is later by the pause, never earlier.
        var paused = Paused;
        return Math.Min(time.GetTimestamp(), Volatile.Read(ref _until)) - paused;
    }

    /// <summary>A periodic timer is one of the other clock.</summary>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        period == Timeout.InfiniteTimeSpan
            ? new Once(this, time, () => callback(state), dueTime) : time.CreateTimer(callback, state, dueTime, period);

    /// <summary>To be called once a <see cref="TimerWheel.Period"/>, by one thread at a time.</summary>
    /// <returns>False: a pause ended less than a period ago: nobody is judged yet, as what came may not have been read.</returns>
    internal bool Turn()
    {
        var now = time.GetTimestamp();
        var pause = now - _until;
        Volatile.Write(ref _until, now + (2 * _period));
        if (pause > 0)
            Volatile.Write(ref _paused, _paused + pause);
        // Once, for a machine on which all turns are late judges, too.
        if (pause > 0 && !_wasLate)
            _judgesFrom = now + _period;
        _wasLate = pause > 0;
        return now >= _judgesFrom;
    }

    /// <summary>There will be no more turns: from here on it goes on without them.</summary>
    internal void EndTurns() => Volatile.Write(ref _until, Unknown);

    private sealed class Once : ITimer
    {
        private readonly AwakeTime _clock;
        private readonly ITimer _timer;
        private long _due;

        public Once(AwakeTime clock, TimeProvider time, Action fire, TimeSpan dueTime)
        {
            _clock = clock;
            _timer = time.CreateTimer(_ => FireIfDue(fire), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            Change(dueTime, Timeout.InfiniteTimeSpan);
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (dueTime != Timeout.InfiniteTimeSpan)
                Volatile.Write(ref _due, _clock.GetTimestamp() + (long)(dueTime.TotalSeconds * _clock.TimestampFrequency));
            return _timer.Change(dueTime, period);
        }

        public void Dispose() => _timer.Dispose();

        public ValueTask DisposeAsync() => _timer.DisposeAsync();

        private void FireIfDue(Action fire)
        {
            var left = _clock.GetElapsedTime(_clock.GetTimestamp(), Volatile.Read(ref _due));
            if (left <= TimeSpan.Zero)
                fire();
            else
                _timer.Change(TimeSpan.FromMilliseconds(Math.Ceiling(left.TotalMilliseconds)), Timeout.InfiniteTimeSpan);
        }
    }
}
