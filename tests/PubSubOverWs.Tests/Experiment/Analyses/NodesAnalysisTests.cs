using PubSubOverWs.Experiment.Analyses;
using PubSubOverWs.Experiment.Experiments.Nodes;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Tests.Experiment.Analyses;

public sealed class NodesAnalysisTests
{
    private static readonly NodesScenario Scenario = new() { Name = "nodes", FaultFor = [10], Messages = 100, TopicSubscribers = 3 };

    [Fact]
    public void What_a_disconnected_subscriber_was_told_of_refutes_nothing() =>
        Assert.All(Judge(told: 40, untold: 0, queueLost: 0), claim => Assert.True(claim.Holds && !claim.Fails));

    [Fact]
    public void One_message_that_is_missing_without_a_word_fails_the_run()
    {
        var claims = Judge(told: 40, untold: 1, queueLost: 0);

        Assert.Equal([("queues-keep-their-promise", false), ("topics-tell", true)], claims.Select(claim => (claim.Id, claim.Fails)));
    }

    [Fact]
    public void One_acknowledged_message_that_a_queue_lost_fails_the_run()
    {
        var claims = Judge(told: 0, untold: 0, queueLost: 1);

        Assert.Equal([("queues-keep-their-promise", true), ("topics-tell", false)], claims.Select(claim => (claim.Id, claim.Fails)));
    }

    private static IEnumerable<(string Id, bool Holds, bool Fails)> Judge(int told, int untold, int queueLost)
    {
        IterationRow[] rows = [.. Scenario.Arms.Select((arm, i) => Some.Row(arm.Name, 10, 1, 1) with
        {
            Level = Scenario.Levels[0],
            Order = i + 1,
            Connections = Scenario.UsersAt(Scenario.Levels[0]),
            Measures = Scenario.Kind.Measures.ToDictionary(measure => measure.Name, measure => (double?)(
                measure == NodesScenario.QueueLost && arm.Name == "paused" ? queueLost
                : measure == NodesScenario.TopicTold && arm.Name == "killed" ? told
                : measure == NodesScenario.TopicUntold && arm.Name == "killed" ? untold
                : 0)),
        })];
        return AnalysisList.Judge(new RunFolder(Some.RunOf(Scenario), rows, []))
            .Select(claim => (claim.Claim.Id, claim.Together.Holds == true, claim.Fails));
    }
}
