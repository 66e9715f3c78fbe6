using PubSubOverWs.LoadTest.Harness.Live;

namespace PubSubOverWs.Tests.LoadTest.Harness.Live;

public sealed class ProgressTextTests
{
    [Theory]
    [InlineData(0, "0 s")]
    [InlineData(41.2, "42 s")]
    [InlineData(130, "2 min 10 s")]
    [InlineData(7380, "2 h 03 min")]
    [InlineData(-1, "0 s")]
    public void Durations_are_as_exact_as_they_matter(double seconds, string text) =>
        Assert.Equal(text, ProgressText.Duration(TimeSpan.FromSeconds(seconds)));

    [Fact]
    public void An_unknown_value_is_a_dash()
    {
        Assert.Equal("-", ProgressText.Loss(null));
        Assert.Equal("-", ProgressText.Latency(null));
    }
}
