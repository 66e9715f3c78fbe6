using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

/// <summary>The thread of the timers moves a clock on instead of sleeping.</summary>
public sealed class FineTimeTests : IDisposable
{
    private readonly FakeTime _clock = new();
    private readonly long _start;
    private readonly FineTime _time;
    private readonly List<(string Timer, double At)> _fired = [];
    private readonly List<double> _sleptUntil = [];

    // Done once, on the thread of the timers, when it is about to sleep.
    private Action? _atFirstSleep;

    public FineTimeTests()
    {
        _start = _clock.GetTimestamp();
        _time = new FineTime(_clock, SleepUntil);
    }

    public void Dispose() => _time.Dispose();

    [Fact]
    public async Task Timers_fire_in_the_order_of_their_times_and_not_before()
    {
        await RunAsync(until: 4, () =>
        {
            Set("third", 3);
            Set("first", 0.25);
            Set("second", 2);
        });

        Assert.Equal([("first", 0.25), ("second", 2), ("third", 3)], _fired);
    }

    [Fact]
    public async Task A_timer_that_is_set_again_fires_at_its_new_time_only()
    {
        await RunAsync(until: 8, () =>
        {
            Set("later", 1).Change(Milliseconds(6), Timeout.InfiniteTimeSpan);
            Set("sooner", 7).Change(Milliseconds(2), Timeout.InfiniteTimeSpan);
        });

        Assert.Equal([("sooner", 2), ("later", 6)], _fired);
    }

    [Fact]
    public async Task A_disposed_timer_does_not_fire()
    {
        await RunAsync(until: 3, () => Set("disposed", 1).Dispose());

        Assert.Empty(_fired);
    }

    [Fact]
    public async Task The_thread_sleeps_until_the_next_timer_and_looks_for_new_ones_each_millisecond()
    {
        await RunAsync(until: 2.5, () => { });

        Assert.Equal([1, 2, 2.5], _sleptUntil);
    }

    [Fact]
    public async Task A_timer_that_is_set_while_the_thread_sleeps_is_late_by_less_than_a_millisecond()
    {
        _atFirstSleep = () => Set("near", 0.25);
        await RunAsync(until: 50, () => { });

        Assert.Equal([("near", 1)], _fired);
    }

    [Fact]
    public async Task Nothing_fires_after_the_end()
    {
        _time.Dispose();
        Set("late", 0);
        await Waiting.GiveWayAsync(100);

        Assert.Empty(_fired);
    }

    [Fact]
    public void A_periodic_timer_is_refused() =>
        Assert.Throws<NotSupportedException>(() => _time.CreateTimer(_ => { }, null, TimeSpan.Zero, Milliseconds(1)));

    // On the thread of the timers, which sees all that the step sets before it goes on.
    private async Task RunAsync(double until, Action step)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _time.CreateTimer(
            _ =>
            {
                step();
                _time.CreateTimer(_ => ended.SetResult(), null, Milliseconds(until), Timeout.InfiniteTimeSpan);
            },
            null, TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        await ended.Task.Patiently();
    }

    private ITimer Set(string timer, double milliseconds) => _time.CreateTimer(
        _ => _fired.Add((timer, Now)), null, Milliseconds(milliseconds), Timeout.InfiniteTimeSpan);

    private double Now => TimeSpan.FromTicks(_clock.GetTimestamp() - _start).TotalMilliseconds;

    private void SleepUntil(long stamp)
    {
        Interlocked.Exchange(ref _atFirstSleep, null)?.Invoke();
        _clock.Advance(TimeSpan.FromTicks(stamp - _clock.GetTimestamp()));
        _sleptUntil.Add(Now);
    }

    private static TimeSpan Milliseconds(double milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
