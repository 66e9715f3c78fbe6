using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;

namespace PubSubOverWs.Tests.Record.Scenarios;

public sealed class QueueLatencyTests
{
    [Theory]
    [InlineData("none")]
    [InlineData("aws")]
    [InlineData("20ms,80ms")]
    [InlineData("1s,1s")]
    public void A_distribution_is_written_as_it_was_read(string text) => Assert.Equal(text, QueueLatency.Parse(text).ToString());

    [Theory]
    [InlineData("far")]
    [InlineData("20ms")]
    [InlineData("0ms,80ms")]
    [InlineData("80ms,20ms")]
    [InlineData("11s,12s")]
    [InlineData("1s,61s")]
    public void An_invalid_distribution_is_refused(string text) =>
        Assert.Contains(
            "write none, aws, or", Assert.Throws<ScenarioException>(() => QueueLatency.Parse(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void A_report_says_simulated_distance_in_every_heading()
    {
        var run = Some.RunOf(Some.Scenario with { QueueLatency = QueueLatency.Aws });
        var report =
            ReportFolder.Make(new RunFolder(run, [Some.Row(Relays.Direct, 100, 1, 1), Some.Row(Relays.PubSub, 100, 1, 1)], [])).Markdown;
        Assert.All(report.Split('\n').Where(line => line.StartsWith('#') && line != "## Terms"),
            heading => Assert.EndsWith(" (simulated distance)", heading, StringComparison.Ordinal));
        Assert.Contains("No figure here is a measurement of AWS.", report, StringComparison.Ordinal);
    }
}
