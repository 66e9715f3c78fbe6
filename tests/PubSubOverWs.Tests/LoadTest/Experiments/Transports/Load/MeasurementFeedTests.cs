using System.Buffers;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.Transports.Load;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports.Load;

public sealed class MeasurementFeedTests
{
    private readonly FakeTime _time = new();
    private readonly MeasurementFeed _feed;

    public MeasurementFeedTests() => _feed = new MeasurementFeed(_time);

    [Fact]
    public async Task Measurements_between_two_polls_are_handed_over_at_the_next_in_order_and_once()
    {
        var inbox = _feed.Open("a", channel: 1);
        _feed.Publish(1, 0);
        _feed.Publish(1, 1);
        _feed.Publish(2, 7);

        Assert.Equal([0, 1], await TakeAsync(inbox, TimeSpan.Zero));
        Assert.Empty(await TakeAsync(inbox, TimeSpan.Zero));
        _feed.Publish(1, 2);
        Assert.Equal([2], await TakeAsync(_feed.Open("a", channel: 1), TimeSpan.Zero));
    }

    [Fact]
    public async Task A_long_poll_is_answered_when_there_is_something()
    {
        var inbox = _feed.Open("a", channel: 1);

        var polling = TakeAsync(inbox, TimeSpan.FromMilliseconds(300));
        Assert.False(polling.IsCompleted);
        _feed.Publish(1, 5);

        Assert.Equal([5], await polling.Patiently());
    }

    [Fact]
    public async Task A_long_poll_that_finds_nothing_is_answered_after_its_wait_and_what_comes_then_is_for_the_next()
    {
        var inbox = _feed.Open("a", channel: 1);

        var polling = TakeAsync(inbox, TimeSpan.FromMilliseconds(300));
        _time.Advance(TimeSpan.FromMilliseconds(299));
        Assert.False(polling.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.Empty(await polling.Patiently());
        _feed.Publish(1, 5);
        Assert.Equal([5], await TakeAsync(inbox, TimeSpan.Zero));
    }

    [Fact]
    public async Task Every_client_of_a_channel_gets_the_same_measurement_with_the_same_stamp()
    {
        var (one, other) = (_feed.Open("a", channel: 1), _feed.Open("b", channel: 1));
        _feed.Publish(1, 5);

        var (first, second) = (await one.TakeAsync(TimeSpan.Zero, _time, default), await other.TakeAsync(TimeSpan.Zero, _time, default));

        Assert.Equal(first[0], second[0]);
        Assert.True(Measurement.TryRead(first[0], out var measurement));
        Assert.Equal(_time.GetTimestamp(), measurement.StampBefore(_time.GetTimestamp(), _time));
    }

    [Fact]
    public void A_client_that_does_not_poll_for_too_long_is_dropped_and_counted()
    {
        var inbox = _feed.Open("a", channel: 1);

        for (var number = 0; number <= Inbox.MaxMeasurements; number++)
            _feed.Publish(1, number);

        Assert.Equal((1, true), (_feed.Dropped, inbox.IsClosed));
        Assert.NotSame(inbox, _feed.Open("a", channel: 1));
    }

    [Fact]
    public async Task A_client_that_names_the_last_measurement_that_it_has_gets_all_later_ones_handed_over_or_not()
    {
        var inbox = _feed.Open("a", channel: 1);
        for (var number = 0; number < 4; number++)
            _feed.Publish(1, number);
        Assert.Equal([0, 1, 2, 3], await TakeAsync(inbox, TimeSpan.Zero));
        _feed.Publish(1, 4);

        Assert.Equal([2, 3, 4], await TakeAsync(_feed.Open("a", channel: 1, after: 1), TimeSpan.Zero));
        Assert.Equal([2, 3, 4], await TakeAsync(_feed.Open("a", channel: 1, after: 1), TimeSpan.Zero));
        Assert.Empty(await TakeAsync(_feed.Open("a", channel: 1, after: 4), TimeSpan.Zero));
    }

    [Fact]
    public async Task A_client_that_comes_back_on_another_connection_gets_what_was_measured_meanwhile_if_it_says_what_it_has()
    {
        _feed.Close(_feed.Open("connection-1", channel: 1));
        _feed.Publish(1, 0);
        _feed.Publish(1, 1);

        Assert.Empty(await TakeAsync(_feed.Open("connection-2", channel: 1), TimeSpan.Zero));
        Assert.Equal([1], await TakeAsync(_feed.Open("connection-3", channel: 1, after: 0), TimeSpan.Zero));
    }

    [Fact]
    public async Task A_poll_that_has_everything_waits_for_the_next_measurement()
    {
        _feed.Open("a", channel: 1);
        _feed.Publish(1, 0);

        var polling = TakeAsync(_feed.Open("a", channel: 1, after: 0), TimeSpan.FromSeconds(1));
        Assert.False(polling.IsCompleted);
        _feed.Publish(1, 1);

        Assert.Equal([1], await polling.Patiently());
    }

    [Fact]
    public async Task A_wait_without_end_is_over_when_the_client_has_left()
    {
        var inbox = _feed.Open("a", channel: 1);
        var waiting = TakeAsync(inbox, Timeout.InfiniteTimeSpan);

        _feed.Close(inbox);

        Assert.Empty(await waiting.Patiently());
    }

    [Fact]
    public void A_sensors_lines_are_taken_whole_however_they_are_cut()
    {
        var taken = new List<(int, int)>();
        var bytes = new ReadOnlySequence<byte>([.. SensorLines.Write(3, 17), .. SensorLines.Write(12, 0), .. "4 1"u8]);

        var end = SensorLines.Take(bytes, (channel, number) => taken.Add((channel, number)));

        Assert.Equal([(3, 17), (12, 0)], taken);
        Assert.Equal("4 1", Encoding.ASCII.GetString(bytes.Slice(end)));
        Assert.Throws<InvalidDataException>(() => SensorLines.Take(new("x 1\n"u8.ToArray()), (_, _) => { }));
    }

    private async Task<IEnumerable<int>> TakeAsync(Inbox inbox, TimeSpan wait) =>
        (await inbox.TakeAsync(wait, _time, CancellationToken.None))
            .Select(one => Measurement.TryRead(one, out var read) ? read.Number : -1).ToArray();
}
