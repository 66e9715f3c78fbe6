using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;

namespace PubSubOverWs.Tests.Record.Relay;

public sealed class PubSubNodesTests
{
    [Theory]
    [InlineData("", 1)]
    [InlineData(""","pubsubNodes":16""", 16)]
    public void A_scenario_says_how_many_servers_its_pubsub_arm_is(string key, int nodes) =>
        Assert.Equal(nodes, ScenarioJson.Parse($$"""{"name":"a","users":[5]{{key}}}""", "a.json").OneWay().PubSubNodes);

    [Theory]
    [InlineData(0)]
    [InlineData(17)]
    public void More_or_less_than_can_be_are_refused(int nodes) => Assert.Contains(
        "it must be from 1 to 16", Assert.Throws<ScenarioException>(() => (Some.Scenario with { PubSubNodes = nodes }).Checked()).Message,
        StringComparison.Ordinal);

    [Fact]
    public void A_report_of_several_says_so_in_every_heading()
    {
        var report = ReportOf(Some.Scenario with { PubSubNodes = 3 });

        Assert.All(report.Split('\n').Where(line => line.StartsWith('#') && line != "## Terms"),
            heading => Assert.EndsWith(" (pubsub: 3 nodes)", heading, StringComparison.Ordinal));
        Assert.Contains("Pubsub is 3 servers here", report, StringComparison.Ordinal);
        Assert.Contains("All of them ran on one core", report, StringComparison.Ordinal);
        Assert.Contains("| arms | direct, pubsub; pubsub is 3 nodes that share the work |", report, StringComparison.Ordinal);
    }

    [Fact]
    public void Headings_give_the_number_of_servers_beside_the_simulated_distance()
    {
        var report = ReportOf(Some.Scenario with { PubSubNodes = 3, QueueLatency = QueueLatency.Aws });

        Assert.All(
            report.Split('\n').Where(line => line.StartsWith('#') && line != "## Terms"),
            heading => Assert.EndsWith(" (simulated distance, pubsub: 3 nodes)", heading, StringComparison.Ordinal));
    }

    private static string ReportOf(OneWayScenario scenario) =>
        ReportFolder.Make(
            new RunFolder(Some.RunOf(scenario), [Some.Row(Relays.Direct, 100, 1, 1), Some.Row(Relays.PubSub, 100, 1, 1)], [])).Markdown;
}
