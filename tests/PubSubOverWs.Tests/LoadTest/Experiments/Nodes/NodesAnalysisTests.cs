using PubSubOverWs.LoadTest.Experiments.Nodes;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Nodes;

/// <summary>Ten messages to a topic with three subscribers, and ten to queues, in which one arm lost some.</summary>
public sealed class NodesAnalysisTests
{
    private const string Queues = "queues-lose-nothing-acknowledged";
    private const string Topics = "topic-gaps-are-reported";

    private static readonly NodesScenario Scenario = new()
    { Name = "nodes", FaultFor = [10], Messages = 10, TopicSubscribers = 3, Deadline = TimeSpan.FromSeconds(30) };

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(4, 4, 0)]
    public void Topic_messages_that_a_subscriber_was_told_of_refute_nothing(int topicLost, int told, int queueLost) =>
        Assert.All(Judge(topicLost, told, queueLost), claim => Assert.True(claim.Together.Holds == true && !claim.Fails));

    [Theory]
    [InlineData(1, 0, 0, Topics, "killed: 1 of 30 missing silently")]
    [InlineData(5, 4, 0, Topics, "killed: 1 of 30 missing silently")]
    [InlineData(0, 0, 1, Queues, "killed: 1 of 10 acknowledged and lost by queues")]
    [InlineData(4, 4, 2, Queues, "killed: 2 of 10 acknowledged and lost by queues")]
    public void One_flow_refutes_its_own_claim_and_no_other(int topicLost, int told, int queueLost, string refuted, string because)
    {
        var claims = Judge(topicLost, told, queueLost);

        Assert.Equal([Queues, Topics], claims.Select(claim => claim.Claim.Id));
        Assert.Equal([(refuted, because)], claims.Where(claim => claim.Fails).Select(claim => (claim.Claim.Id, claim.Together.Reason)));
    }

    [Fact]
    public void An_acknowledged_message_that_is_left_in_a_queue_still_counts_as_missing()
    {
        var claims = Judge(topicLost: 0, told: 0, queueLost: 1, Outcome.DeadLettered);

        Assert.Equal(Queues, Assert.Single(claims, claim => claim.Fails).Claim.Id);
    }

    private static IReadOnlyList<ClaimResult> Judge(
        int topicLost, int told, int queueLost, Outcome queueOutcome = Outcome.LostAcknowledged)
    {
        var level = Scenario.Levels[0];
        IterationRow[] rows = [.. Scenario.Arms.Select((arm, i) =>
        {
            var isLossy = arm.Name == "killed";
            return Some.Row(arm.Name, 10, 1, 1) with
            {
                Level = level,
                Order = i + 1,
                Connections = Scenario.UsersAt(level),
                Flows = new FlowRows(
                    new FlowRow { Flow = NodesScenario.Topic, Buckets = Lost(30, isLossy ? topicLost : 0, Outcome.LostAcknowledged) },
                    new FlowRow { Flow = NodesScenario.Queue, Buckets = Lost(10, isLossy ? queueLost : 0, queueOutcome) }),
                Measures = Scenario.Measures.ToDictionary(
                    measure => measure.Name, measure => (double?)(isLossy && measure == NodesScenario.TopicTold ? told : 0)),
            };
        })];
        return AnalysisList.Judge(new RunFolder(Some.RunOf(Scenario), rows, []));
    }

    private static Buckets Lost(int of, int lost, Outcome outcome)
    {
        var tally = new BucketTally();
        var attempt = new Attempt("m", 0, 0, default, default(TimeSpan), default(TimeSpan), null, outcome, Cause.Deadline);
        tally.Add(attempt, lost);
        tally.Add(attempt with { Received = default(TimeSpan), Outcome = Outcome.Delivered, Cause = Cause.None }, of - lost);
        return tally.Sum(acknowledged: of);
    }
}
