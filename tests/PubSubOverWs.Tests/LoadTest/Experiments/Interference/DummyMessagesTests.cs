using PubSubOverWs.LoadTest.Experiments.Interference;
using PubSubOverWs.Record.Formats;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Interference;

public sealed class DummyMessagesTests
{
    [Theory]
    [InlineData("idle", 0, 0, 0)]
    [InlineData("10240/500us", 10_240, 500, 20_480_000)]
    [InlineData("1048576/20ms", 1_048_576, 20_000, 52_428_800)]
    [InlineData("1/2000s", 1, 2_000_000_000, 0.0005)]
    public void A_stream_is_read_with_its_rate_and_written_as_it_was(string text, int bytes, int periodUs, double bytesPerSecond)
    {
        var stream = DummyMessages.Parse(text);

        Assert.Equal(new DummyMessages(bytes, periodUs), stream);
        Assert.Equal(bytesPerSecond, stream.BytesPerSecond, 1e-9);
        Assert.Equal(text, stream.ToString());
        Assert.Equal(bytes == 0, stream.IsIdle);
    }

    [Theory]
    [InlineData("")]
    [InlineData("10240")]
    [InlineData("10240/")]
    [InlineData("0/500us")]
    [InlineData("67108865/500us")]
    [InlineData("10240/0us")]
    [InlineData("10240/2001s")]
    [InlineData("10240/1h")]
    [InlineData("10 KB/500us")]
    [InlineData("-1/500us")]
    public void A_text_that_is_no_stream_is_refused_with_the_form_of_one(string text) => Assert.Contains(
        $"The stream '{text}' is not known: write idle, or the bytes of a message",
        Assert.Throws<ScenarioException>(() => DummyMessages.Parse(text)).Message, StringComparison.Ordinal);
}
