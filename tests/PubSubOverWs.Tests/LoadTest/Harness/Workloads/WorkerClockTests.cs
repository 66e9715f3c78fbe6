using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workloads;

/// <summary>Stamps of a load process by the clock of the run.</summary>
public sealed class WorkerClockTests
{
    private static readonly long Second = Stopwatch.Frequency;

    [Fact]
    public void Stamps_of_the_clock_of_the_run_stay_as_they_are()
    {
        Assert.Equal(12_345, WorkerClock.Same.Here(12_345));
        Assert.Null(WorkerClock.Same.Here(null));
        Assert.Equal((TimeSpan.Zero, TimeSpan.Zero, 0.0), (WorkerClock.Same.Offset, WorkerClock.Same.Bound, WorkerClock.Same.DriftPpm));
    }

    [Fact]
    public void A_clock_is_taken_to_have_been_read_in_the_middle_and_may_be_off_by_half_of_the_way()
    {
        Assert.Equal(new ClockReading(150, 9_000, 50), ClockReading.Between(100, 200, 9_000));
        Assert.Equal(new ClockReading(150, 9_000, 51), ClockReading.Between(100, 201, 9_000));
    }

    // The true offset and drift are known, and each reading is wrong by as much as it may be.
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1_000, 40)]
    [InlineData(-3_000, -40)]
    public void A_stamp_is_within_the_bound_of_the_truth_for_clocks_far_apart_that_drift(int offsetSeconds, double ppm)
    {
        long There(long here) => (long)(here * (1 - (ppm / 1e6))) + (offsetSeconds * Second);
        var error = Second / 20_000;
        var due = 3 * Second;
        var clock = new WorkerClock(
            new(Second, There(Second) + error, error), new(100 * Second, There(100 * Second) - error, error), due);

        Assert.Equal(offsetSeconds, clock.Offset.TotalSeconds, 1e-3);
        Assert.Equal(ppm, clock.DriftPpm, 2.0);
        for (var here = 2 * Second; here < 100 * Second; here += 7 * Second)
            Assert.InRange(Stopwatch.GetElapsedTime(clock.Here(There(here)), here), -clock.Bound * 1.1, clock.Bound * 1.1);
    }

    [Fact]
    public void A_message_that_is_sent_when_it_is_due_has_no_latency_however_badly_the_clock_is_known()
    {
        var before = new ClockReading(Second, 500 * Second, Second / 100);
        var clock = new WorkerClock(before, new(2 * Second, 501 * Second + (Second / 100), Second / 100), firstDue: 3 * Second / 2);

        Assert.Equal(3 * Second / 2, clock.Here(before.ThereAt(3 * Second / 2)));
    }

    [Fact]
    public void Two_readings_at_one_moment_say_nothing_of_drift()
    {
        var reading = new ClockReading(5, 6, 1);

        Assert.Equal((0.0, 99), (new WorkerClock(reading, reading, 5).DriftPpm, new WorkerClock(reading, reading, 5).Here(100)));
    }
}
