using PubSubOverWs.LoadTest.Experiments.Nodes;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Nodes;

public sealed class NodesScenarioTests
{
    private static NodesScenario Nodes
    {
        get
        {
            var file = Path.Combine(AppContext.BaseDirectory, "scenarios", "nodes.json");
            return (NodesScenario)ScenarioJson.Parse(File.ReadAllText(file), file);
        }
    }

    public static TheoryData<string, FaultActionKind?> Arms => new()
    {
        { "undisturbed", null }, { "killed", FaultActionKind.KillNode }, { "paused", FaultActionKind.PauseNode },
        { "sns-cut", FaultActionKind.TopicsStall }, { "sqs-cut", FaultActionKind.NodeQueueStalls },
        { "sqs-requests-cut", FaultActionKind.QueueRequestsStall }, { "sqs-answers-cut", FaultActionKind.QueueAnswersStall },
    };

    [Fact]
    public void The_scenario_that_comes_with_the_program_tries_every_arm_for_less_and_for_more_than_the_minute_of_silence()
    {
        Assert.Equal(Arms.Select(row => (string)row[0]), Nodes.Arms.Select(arm => arm.Name));
        Assert.Equal([10, 64], Nodes.FaultFor);
        var quick = (NodesScenario)Nodes.ToQuick();
        Assert.Equal(["undisturbed", "sns-cut", "sqs-cut"], quick.Arms.Select(arm => arm.Name));
        Assert.Equal([4], quick.FaultFor);
    }

    [Theory]
    [MemberData(nameof(Arms))]
    public void The_arm_sets_the_fault_of_one_node_and_the_level_its_duration(string arm, FaultActionKind? kind)
    {
        var level = Nodes.Levels[0];
        var plan = Nodes.Plan(new Trial(Nodes.FindArm(arm)!, level, Block: 1, Iteration: 1, Order: 1, WarmUp: false));

        Assert.Equal(
            kind is { } done ? [new FaultAction(TimeSpan.FromSeconds(3), done, TimeSpan.FromSeconds(10))] : [],
            plan?.Actions ?? []);
        // Messages are due before, while and after.
        Assert.Equal(TimeSpan.FromSeconds(20), plan?.Lasts ?? NodesScenario.SpreadAt(level));
    }

    [Fact]
    public void One_cluster_serves_all_arms()
    {
        var setUps = Nodes.Arms.Select(Nodes.SetUp).ToArray();

        Assert.All(setUps, setUp => Assert.Equal((3, "pubsub", true), (setUp.Servers, setUp.SharedAs, setUp.ProxiesQueue)));
        Assert.All(setUps, setUp => Assert.Equal(setUps[0].Settings, setUp.Settings));
    }

    [Fact]
    public void A_message_to_the_topic_is_attempted_for_every_subscriber_and_one_to_a_queue_once_each_on_a_flow_of_its_own()
    {
        var level = Nodes.Levels[0];

        Assert.Equal((122_000L, 4_000L), (Nodes.Attempts(level), Nodes.Sends(level)));
        Assert.Equal(
            [("topic", 120_000L), ("queue", 2_000L)], Nodes.Flows.Select(flow => (flow.Name, Nodes.AttemptsOf(flow, level))));
    }

    [Theory]
    [InlineData("\"faultFor\": [0]", "'faultFor' of scenario 'x' is 0: it must be from 1 to 100.")]
    [InlineData("\"faultFor\": [101]", "'faultFor' of scenario 'x' is 101")]
    [InlineData("\"faultFor\": []", "'faultFor'")]
    [InlineData("\"faultFor\": [10], \"pubsubNodes\": 1", "'pubsubNodes' of scenario 'x' is 1: it must be from 2 to 16.")]
    [InlineData("\"faultFor\": [10], \"messages\": 2", "'messages' of scenario 'x' is 2: it must be from 3 to 10000.")]
    [InlineData("\"faultFor\": [71]", "'deadline' of scenario 'x' is 90s: it must be 91s or more")]
    [InlineData("\"faultFor\": [10], \"arms\": [\"direct\"]", "'direct'")]
    [InlineData("\"faultFor\": [10], \"fault\": \"churn\"", "'fault' is not known")]
    public void Invalid_values_are_refused_by_name(string keys, string named) => Assert.Contains(
        named, Assert.Throws<ScenarioException>(() => ScenarioJson.Parse(
            $$"""{ "name": "x", "experiment": "nodes", "deadline": "90s", {{keys}} }""", "x")).Message, StringComparison.Ordinal);
}
