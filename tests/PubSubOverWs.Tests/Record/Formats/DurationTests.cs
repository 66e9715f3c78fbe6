using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Formats;

public sealed class DurationTests
{
    [Theory]
    [InlineData("500ms", 0.5)]
    [InlineData("2s", 2)]
    [InlineData("1.5s", 1.5)]
    [InlineData("0.5m", 30)]
    [InlineData("0s", 0)]
    public void A_duration_is_a_number_and_its_unit(string text, double seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), Duration.Parse(text));

    [Theory]
    [InlineData("")]
    [InlineData("s")]
    [InlineData("2")]
    [InlineData("-2s")]
    [InlineData("2 s")]
    [InlineData("1e3s")]
    [InlineData("2h")]
    [InlineData("999999999999m")]
    public void Any_other_text_is_refused_with_an_example(string text)
    {
        var refused = Assert.Throws<ScenarioException>(() => Duration.Parse(text));
        Assert.Contains($"'{text}'", refused.Message, StringComparison.Ordinal);
        Assert.Contains("500ms or 2s", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("10s")]
    [InlineData("1500ms")]
    [InlineData("0.5ms")]
    [InlineData("0s")]
    public void The_text_of_a_duration_is_read_back_as_it_was(string text) => Assert.Equal(text, Duration.Text(Duration.Parse(text)));

    [Fact]
    public void A_burst_is_due_at_once_and_a_spread_evenly_whatever_the_server_does()
    {
        Assert.All(Enumerable.Range(0, 10), i => Assert.Equal(TimeSpan.Zero, Arrival.Burst.DueAt(i, 10)));
        var spread = Arrival.Parse("spread:2s");
        Assert.Equal([0, 500, 1000, 1500], Enumerable.Range(0, 4).Select(i => spread.DueAt(i, 4).TotalMilliseconds));
        Assert.Equal("spread:2s", spread.ToString());
    }
}
