using System.Text;
using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports.Load;

public sealed class MeasurementLogTests
{
    private static readonly FakeTime Time = new();

    private static readonly long Second = Time.TimestampFrequency;

    private readonly long[] _sent = new long[3];
    private readonly MeasurementLog _log;

    public MeasurementLogTests() => _log = new MeasurementLog(_sent, Time);

    [Fact]
    public void Measurements_that_come_together_count_each_by_itself_from_the_servers_stamp()
    {
        _log.Take([.. Of(0, at: 10), .. Of(1, at: 11)], 12 * Second);

        Assert.Equal((TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(1), null), (_log.LatencyOf(0), _log.LatencyOf(1), _log.LatencyOf(2)));
        Assert.Equal((1, default), (_log.Missing, _log.Anomalies));
    }

    [Fact]
    public void It_knows_the_last_one_that_came_and_when_the_first_came_after_a_moment()
    {
        Assert.Equal((null, null), (_log.Latest, _log.FirstSince(0)));

        _log.Take(Of(0, at: 1), 2 * Second);
        _log.Take(Of(2, at: 3), 4 * Second);

        Assert.Equal((2, 4 * Second, null), (_log.Latest, _log.FirstSince(3 * Second), _log.FirstSince(5 * Second)));
    }

    [Fact]
    public void Clients_of_one_sensor_share_its_stamps()
    {
        var other = new MeasurementLog(_sent, Time);
        other.Take(Of(2, at: 5), 6 * Second);

        Assert.Equal((5 * Second, null), (_log.SentAt(2), _log.ArrivedAt(2)));
        Assert.Null(_log.SentAt(0));
    }

    [Fact]
    public void Copies_strangers_damage_and_another_order_are_counted_apart()
    {
        _log.Take(Of(1, at: 1), 2 * Second);
        _log.Take(Of(0, at: 1), 2 * Second);
        _log.Take(Of(1, at: 1), 3 * Second);
        _log.Take(Of(3, at: 1), 2 * Second);
        _log.Take("00000002 x000000000000"u8, 2 * Second);
        _log.Take("000"u8, 2 * Second);

        Assert.Equal(new Anomalies(Duplicates: 1, Reorderings: 1, Unexpected: 1, Corrupted: 2), _log.Anomalies);
        Assert.Equal((1, TimeSpan.FromSeconds(1)), (_log.Missing, _log.LatencyOf(1)));
    }

    private static byte[] Of(int number, int at) => Measurement.At(number, at * Second, Time).Write();
}

public sealed class MeasurementTests
{
    private readonly FakeTime _time = new();

    [Fact]
    public void It_is_22_bytes_a_number_of_8_digits_and_a_time_of_13()
    {
        var bytes = new Measurement(17, 1_234_567).Write();

        Assert.Equal("00000017 0000001234567", Encoding.ASCII.GetString(bytes));
        Assert.Equal(Measurement.Bytes, bytes.Length);
        Assert.True(Measurement.TryRead(bytes, out var read));
        Assert.Equal(new Measurement(17, 1_234_567), read);
    }

    [Theory]
    [InlineData("00000017 000000123456")]
    [InlineData("00000017-0000001234567")]
    [InlineData("0000001x 0000001234567")]
    [InlineData("00000017 00000012345-7")]
    [InlineData("-0000017 0000001234567")]
    public void Other_bytes_are_none(string text) => Assert.False(Measurement.TryRead(Encoding.ASCII.GetBytes(text), out _));

    [Fact]
    public void As_an_event_it_has_its_number_as_the_id()
    {
        var bytes = new Measurement(17, 1_234_567).Write();

        var text = Encoding.ASCII.GetString(ServerSentEvent.From(bytes));

        Assert.Equal("id: 00000017\ndata: 00000017 0000001234567\n\n", text);
        Assert.Equal(ServerSentEvent.Bytes, text.Length);
        Assert.Equal(bytes, ServerSentEvent.MeasurementOf("data: 00000017 0000001234567"u8).ToArray());
        Assert.True(ServerSentEvent.MeasurementOf("id: 00000017"u8).IsEmpty && ServerSentEvent.MeasurementOf("retry: 0"u8).IsEmpty);
    }

    [Fact]
    public void The_stamp_comes_back_to_the_microsecond_also_where_the_digits_begin_again()
    {
        const long Ticks = 10;
        foreach (var stamp in new[] { 5_000_000L, (10_000_000_000_000 * Ticks) - 30, 123_456_789 * Ticks })
        {
            var measurement = Measurement.At(1, stamp, _time);

            Assert.Equal(stamp, measurement.StampBefore(stamp + (70 * Ticks), _time));
        }
    }
}
