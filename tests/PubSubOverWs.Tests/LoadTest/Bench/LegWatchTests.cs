using PubSubOverWs.LoadTest.Bench;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Bench;

public class LegWatchTests
{
    [Fact]
    public async Task Copies_that_come_twice_count_once_and_those_that_do_not_come_are_missing()
    {
        var watch = new LegWatch(leg: 1, rate: 1_000_000, messages: 2, copies: 3);

        // Nothing is waited for: what is missing is missing when the patience of a clock that has run far ahead is over.
        var (sorted, missing) = await watch.RunAsync(
            message =>
            {
                watch.Add(message, copy: message);
                watch.Add(message, copy: message);
            },
            new HurriedTime(), CancellationToken.None);

        Assert.Equal((2, 1), (sorted.Length, missing));
        Assert.All(sorted, latency => Assert.True(latency > 0));
    }

    [Theory]
    [InlineData(2, 5, true)]
    [InlineData(1, 5, false)]
    [InlineData(2, 10, false)]
    public void A_leg_ignores_messages_of_another_leg(int leg, int message, bool expected)
    {
        var watch = new LegWatch(leg: 2, rate: 1, messages: 10, copies: 10);
        var reader = new StompReader(new StompLimits());
        var id = new LegWatch(leg, rate: 1, messages: 100, copies: 1).Id(message);

        Assert.True(reader.TryRead(System.Text.Encoding.ASCII.GetBytes($"MESSAGE\nid:{id}\n\n\0"), out var frame, out _));
        Assert.Equal(expected, watch.TryRead(frame, out var found));
        Assert.Equal(expected ? message : 0, expected ? found : 0);
    }

    [Fact]
    public void A_leg_ignores_an_id_that_is_not_a_number()
    {
        Assert.True(new StompReader(new StompLimits()).TryRead("MESSAGE\nid:2000000001x\n\n\0"u8.ToArray(), out var frame, out _));
        Assert.False(new LegWatch(leg: 2, rate: 1, messages: 10, copies: 10).TryRead(frame, out _));
    }

    [Theory]
    [InlineData(100, 99)]
    [InlineData(101, 100)]
    [InlineData(102, 10_000)]
    public void A_missing_copy_counts_as_slower_than_every_copy_that_came(int copies, double p99) =>
        Assert.Equal(p99, LegWatch.Percentile([.. Enumerable.Range(1, 100).Select(i => (double)i)], copies, 0.99));

    // Each look at the clock is a minute after the last.
    private sealed class HurriedTime : TimeProvider
    {
        private long _looks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Interlocked.Increment(ref _looks) * TimeSpan.TicksPerMinute;
    }
}
