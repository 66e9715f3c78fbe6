using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

public sealed class AwakeTimeTests
{
    private static readonly TimeSpan Period = TimerWheel.Period;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(6);

    private readonly FakeTime _time = new();
    private readonly AwakeTime _awake;
    private readonly long _started;

    public AwakeTimeTests()
    {
        _awake = new AwakeTime(_time);
        _started = _time.GetTimestamp();
    }

    [Fact]
    public void A_pause_does_not_count_neither_before_the_turn_that_ends_it_nor_after()
    {
        Turn(Period);

        _time.Advance(Pause);
        Assert.Equal(3 * Period, Passed());
        Turn(TimeSpan.Zero);
        Assert.Equal(3 * Period, Passed());
        Turn(Period);
        Assert.Equal(4 * Period, Passed());
    }

    [Fact]
    public void Nobody_is_judged_until_a_period_after_a_pause_though_the_timer_makes_up_for_a_turn_at_once()
    {
        Turn(Period);

        Assert.False(Turn(Pause));
        Assert.False(Turn(TimeSpan.FromMilliseconds(1)));
        Assert.True(Turn(Period));
    }

    [Fact]
    public void Turns_that_are_a_little_late_are_no_pauses()
    {
        Assert.All(Enumerable.Range(0, 9), _ => Assert.True(Turn(1.9 * Period)));
        Assert.Equal(9 * 1.9 * Period, Passed());
    }

    [Fact]
    public void A_machine_on_which_every_turn_is_late_judges_too()
    {
        Turn(Period);

        Assert.False(Turn(3 * Period));
        Assert.All(Enumerable.Range(0, 9), _ => Assert.True(Turn(3 * Period)));
        Assert.Equal((1 + 20) * Period, Passed());
    }

    [Fact]
    public void Where_nobody_turns_it_passes_as_any_other()
    {
        _time.Advance(Pause);
        Assert.Equal(Pause, Passed());
        Turn(Period);
        _awake.EndTurns();
        _time.Advance(Pause);
        Assert.Equal((2 * Pause) + Period, Passed());
    }

    [Fact]
    public void A_timer_goes_off_later_by_the_pause_and_one_that_was_stopped_does_not()
    {
        var (fired, stopped) = (0, 0);
        Turn(Period);
        using var timer = _awake.CreateTimer(_ => fired++, null, Pause, Timeout.InfiniteTimeSpan);
        using (_awake.CreateTimer(_ => stopped++, null, Pause, Timeout.InfiniteTimeSpan))
            Turn(Period);

        Turn(Pause);
        for (var since = Passed(); Passed() - since < Pause - (4 * Period);)
            Turn(Period);
        Assert.Equal((0, 0), (fired, stopped));
        Turn(Period);

        Assert.Equal((1, 0), (fired, stopped));
    }

    private bool Turn(TimeSpan after)
    {
        _time.Advance(after);
        return _awake.Turn();
    }

    private TimeSpan Passed() => _awake.GetElapsedTime(_started, _awake.GetTimestamp());
}
