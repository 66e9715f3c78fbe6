using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

public sealed class TimerWheelTests
{
    private static readonly TimeSpan Period = TimerWheel.Period;

    private readonly FakeTime _time = new();
    private readonly TimerWheel _wheel;

    public TimerWheelTests() => _wheel = new TimerWheel(_time, new AwakeTime(_time));

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 2)]
    [InlineData(1.5, 2)]
    [InlineData(38, 39)]
    [InlineData(254, 255)]
    public void A_member_is_looked_at_at_the_first_turn_after_its_time(double periods, int turn)
    {
        var member = new Recorder(_time);
        _wheel.Schedule(member, After(periods));

        Turn(turn + 3);

        Assert.Equal([turn], member.Looks);
    }

    [Fact]
    public void A_member_that_is_due_after_more_than_a_round_asks_again_and_is_looked_at_in_time()
    {
        var due = After(1_000);
        var member = new Recorder(_time) { Next = _ => due };
        _wheel.Schedule(member, due);

        Turn(1_000);
        Assert.InRange(member.Looks.Count, 1, 4);

        Turn(1);
        Assert.Equal(1_001, member.Looks[^1]);
    }

    [Fact]
    public void The_earlier_of_two_times_counts()
    {
        var member = new Recorder(_time);
        _wheel.Schedule(member, After(9));
        _wheel.Schedule(member, After(4));
        _wheel.Schedule(member, After(7));

        Turn(20);

        Assert.Equal([5], member.Looks);
    }

    [Fact]
    public void A_member_that_is_scheduled_while_it_is_looked_at_is_looked_at_again()
    {
        var member = new Recorder(_time);
        member.Next = turn =>
        {
            if (turn == 1)
                _wheel.Schedule(member, TimerWheel.Soon);
            return TimerWheel.Never;
        };
        _wheel.Schedule(member, TimerWheel.Soon);

        Turn(5);

        Assert.Equal([1, 2], member.Looks);
    }

    [Fact]
    public void A_member_that_was_removed_is_not_looked_at_again_whatever_is_scheduled()
    {
        var member = new Recorder(_time);
        _wheel.Schedule(member, After(3));
        _wheel.Remove(member);
        _wheel.Schedule(member, TimerWheel.Soon);

        Turn(10);

        Assert.Empty(member.Looks);
        Assert.Equal(0, _wheel.Scheduled<TimerWheel.Member>());
    }

    [Fact]
    public void Turns_that_are_missing_make_nobody_late()
    {
        var member = new Recorder(_time) { Next = turn => turn < 100 ? After(8) : TimerWheel.Never };
        _wheel.Schedule(member, After(8));

        // As when the process was suspended.
        _time.Advance(50 * Period);
        _wheel.Turn();
        Turn(9);

        Assert.Equal([50, 59], member.Looks);
    }

    [Fact]
    public void A_pause_of_more_than_a_round_leaves_nobody_out()
    {
        Recorder[] members = [.. Enumerable.Range(0, 250).Select(_ => new Recorder(_time))];
        for (var i = 0; i < members.Length; i++)
            _wheel.Schedule(members[i], After(i));

        _time.Advance(10_000 * Period);
        _wheel.Turn();

        Assert.All(members, member => Assert.Equal([10_000], member.Looks));
    }

    [Theory]
    [InlineData(0.7)]
    [InlineData(1.2)]
    [InlineData(1.45)]
    [InlineData(2.4)]
    public void Turns_that_are_all_a_little_early_or_late_make_nobody_late(double periods)
    {
        var due = After(240);
        var member = new Recorder(_time) { Next = _ => due };
        _wheel.Schedule(member, due);

        while (_time.GetTimestamp() < due)
            TurnAfter(periods);
        TurnAfter(periods);
        TurnAfter(periods);

        Assert.Contains(member.Looks, look => look >= 240);
    }

    [Fact]
    public async Task What_is_noted_before_a_look_is_asked_for_is_seen_however_the_threads_run()
    {
        Noted[] members = [.. Enumerable.Range(0, 100_000).Select(_ => new Noted())];
        var noting = Task.Run(() => Array.ForEach(members, member =>
        {
            // A turn may be taking it while the note is made.
            _wheel.Schedule(member, TimerWheel.Soon);
            member.Note = true;
            _wheel.Schedule(member, TimerWheel.Soon);
        }));

        while (!noting.IsCompleted)
            _wheel.Turn();

        await noting;
        Turn(1);
        Assert.All(members, member => Assert.True(member.IsSeen));
    }

    [Fact]
    public async Task However_the_threads_run_nothing_is_left_of_members_that_were_removed()
    {
        Recorder[] members = [.. Enumerable.Range(0, 2_000).Select(_ => new Recorder(_time) { Next = _ => After(3) })];
        var scheduling = Task.Run(() =>
        {
            for (var i = 0; i < 20 * members.Length; i++)
                _wheel.Schedule(members[i * 7 % members.Length], i % 3 == 0 ? TimerWheel.Soon : i % 300 * Period.Ticks);
        });
        var removing = Task.Run(() => Array.ForEach(members, _wheel.Remove));

        while (!scheduling.IsCompleted || !removing.IsCompleted)
            _wheel.Turn();

        await Task.WhenAll(scheduling, removing);
        Assert.Equal(0, _wheel.Scheduled<TimerWheel.Member>());
    }

    private void TurnAfter(double periods)
    {
        _time.Advance(periods * Period);
        _wheel.Turn();
    }

    private long After(double periods) => _time.GetTimestamp() + (long)(periods * Period.Ticks);

    private void Turn(int times)
    {
        for (var i = 0; i < times; i++)
        {
            _time.Advance(Period);
            _wheel.Turn();
        }
    }

    private sealed class Recorder(FakeTime time) : TimerWheel.Member
    {
        private readonly long _started = time.GetTimestamp();

        /// <summary>In periods, from the start.</summary>
        public List<int> Looks { get; } = [];

        public Func<int, long> Next { get; set; } = _ => TimerWheel.Never;

        protected internal override long Look(long now)
        {
            Looks.Add((int)((now - _started) / Period.Ticks));
            return Next(Looks[^1]);
        }
    }

    private sealed class Noted : TimerWheel.Member
    {
        public bool Note { get; set; }

        public bool IsSeen { get; private set; }

        protected internal override long Look(long now)
        {
            IsSeen = Note;
            return TimerWheel.Never;
        }
    }
}
