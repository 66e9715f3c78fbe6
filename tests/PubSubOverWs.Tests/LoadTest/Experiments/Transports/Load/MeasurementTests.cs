using System.Text;
using PubSubOverWs.LoadTest.Experiments.Transports.Load;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports.Load;

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
