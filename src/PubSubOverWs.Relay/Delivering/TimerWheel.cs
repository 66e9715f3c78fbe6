namespace PubSubOverWs.Relay;

/// <summary>
/// Looks at each of its members at the first turn after the time that it asked for, so that one with nothing due costs nothing. Safe from
/// any thread.
/// </summary>
/// <param name="time">Counts the turns; <see cref="Turn"/> is called once a <see cref="Period"/>.</param>
/// <param name="awake">The clock of all stamps that members give and are given.</param>
internal sealed class TimerWheel(TimeProvider time, AwakeTime awake)
{
    public static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    /// <summary>Due at the next turn.</summary>
    public const long Soon = 0;

    /// <summary>Due when it is scheduled again.</summary>
    public const long Never = long.MaxValue;

    // No longer a member.
    private const long Gone = long.MinValue;

    // About a minute. A member that is due later is looked at when the wheel has gone round, and asks again.
    private const int Slots = 256;

    private readonly Lock _gate = new();
    private readonly HashSet<Member>?[] _slots = new HashSet<Member>?[Slots];
    private readonly long _period = (long)(Period.TotalSeconds * time.TimestampFrequency);
    private long _turn;

    // When that turn was due: before it came, by less than half a period, if it was late.
    private long _turnedAt = time.GetTimestamp();

    /// <summary>How many members of a kind have something due.</summary>
    public int Scheduled<T>()
        where T : Member
    {
        lock (_gate)
            return _slots.Sum(slot => slot?.Count(member => member is T) ?? 0);
    }

    /// <summary>
    /// Looks at the member after that time, or earlier if it is due earlier already; does nothing after <see cref="Remove"/>.
    /// </summary>
    /// <param name="member">What it decides by is written before.</param>
    /// <param name="due">Time stamp, <see cref="Soon"/> or <see cref="Never"/>.</param>
    public void Schedule(Member member, long due)
    {
        if (due != Never)
            due += awake.Paused;
        // Turn takes back what is due before it looks, so one of the two sees the other.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref member.Due) <= due)
            return;
        lock (_gate)
        {
            if (member.Due <= due)
                return;
            TakeOut(member);
            member.Due = due;
            member.Slot = (int)((_turn + Math.Clamp(((due - _turnedAt) / _period) + 1, 1, Slots - 1)) % Slots);
            (_slots[member.Slot] ??= []).Add(member);
        }
    }

    /// <summary>The member is not looked at any more, except by a turn that has begun.</summary>
    public void Remove(Member member)
    {
        lock (_gate)
        {
            TakeOut(member);
            member.Due = Gone;
        }
    }

    /// <summary>Looks at those that are due. Not to be called twice at a time.</summary>
    public void Turn()
    {
        var now = time.GetTimestamp();
        List<Member> due = [];
        lock (_gate)
        {
            // A turn that is late takes the place of those that are missing; what is left of its lateness counts at the next one, so that
            // turns that are all a little late do not add up.
            var turns = Math.Max((now - _turnedAt + (_period / 2)) / _period, 1);
            for (var left = Math.Min(turns, Slots); left > 0; left--)
            {
                ref var slot = ref _slots[++_turn % Slots];
                due.AddRange(slot ?? []);
                slot = null;
            }
            _turnedAt = Math.Min(_turnedAt + (turns * _period), now);
            foreach (var member in due)
                member.Due = Never;
        }
        foreach (var member in due)
            Schedule(member, member.Look(awake.GetTimestamp()));
    }

    private void TakeOut(Member member)
    {
        if (member.Due is not Never and not Gone)
            _slots[member.Slot]!.Remove(member);
    }

    /// <summary>Has times at which it is to be looked at.</summary>
    internal abstract class Member
    {
        /// <summary>The wheel's, by the clock that counts its turns, as <see cref="Slot"/> is.</summary>
        internal long Due = Never;
        internal int Slot;

        /// <summary>Does what is due at <paramref name="now"/>.</summary>
        /// <returns>When something is due next: a time stamp, <see cref="Soon"/> or <see cref="Never"/>.</returns>
        protected internal abstract long Look(long now);
    }
}

/// <summary>One timer for all sessions: turns the wheel of those that have heart-beats or time-outs due, four times a second.</summary>
internal sealed class SessionClock(RelayContext relay) : BackgroundService
{
    public static readonly TimeSpan Period = TimerWheel.Period;

    private readonly OutboxBatch _batch = new(relay.Options);

    /// <summary>A turn of the wheel. PINGs and heart-beats that are due together leave together, without a thread hop for each.</summary>
    public void Turn()
    {
        if (!relay.Awake.Turn())
            return;
        _batch.Enter();
        try
        {
            relay.Wheel.Turn();
        }
        finally
        {
            OutboxBatch.Leave();
            _batch.Flush();
        }
    }

    /// <summary>The first turn comes before the first client, so that a pause before the second is known as one.</summary>
    public override Task StartAsync(CancellationToken cancellationToken)
    {
        Turn();
        return base.StartAsync(cancellationToken);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Period, relay.Time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
                Turn();
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // The server stops.
        }
        finally
        {
            relay.Awake.EndTurns();
        }
    }
}
