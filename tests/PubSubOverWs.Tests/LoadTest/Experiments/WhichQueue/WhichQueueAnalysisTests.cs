using PubSubOverWs.LoadTest.Experiments.WhichQueue;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.WhichQueue;

/// <summary>Three trials of 100 acknowledged messages each in which the power is cut.</summary>
public sealed class WhichQueueAnalysisTests
{
    private static readonly WhichQueueScenario Scenario = new()
    { Name = "which-queue", Trials = [QueueTrial.PowerCut], Arms = [Arm("redis"), Arm("redis+everysec")] };

    [Fact]
    public void A_queue_that_was_to_keep_all_is_refuted_by_one_lost_message()
    {
        var folder = Made(("redis", [0, 1, 0]), ("redis+everysec", [5, 5, 5]));

        Assert.Equal(
            ("refuted", "redis: 1 of 300 acknowledged and lost"), Of(folder, "power-cut-loses-nothing"));
    }

    [Theory]
    [InlineData("holds so far", "3 of 3 trials lost messages, 9 of 300", 2, 3, 4)]
    [InlineData("holds so far", "1 of 3 trials lost messages, 4 of 300", 0, 0, 4)]
    [InlineData("refuted", "0 of 3 trials lost messages, 0 of 300", 0, 0, 0)]
    public void A_queue_that_was_to_lose_some_is_refuted_where_no_trial_loses_any(
        string word, string reason, params int[] lost) =>
        Assert.Equal(
            (word, reason), Of(Made(("redis", [0, 0, 0]), ("redis+everysec", lost)), "redis-everysec-power-cut-loses"));

    [Theory]
    [InlineData("holds so far", "none of 300 more than were published again", 0, 7, 2)]
    [InlineData("refuted", "redis: 1 of 300 more than were published again", 0, 8, 2)]
    public void Copies_are_refuted_beyond_those_that_were_published_again(string word, string reason, params int[] copies)
    {
        var scenario = Scenario with { Trials = [QueueTrial.RelayKilled] };
        var folder = Made(scenario, ("redis", [0, 0, 0]));
        IterationRow[] rows =
        [
            .. folder.Rows.Select((row, i) => row with
            {
                Flows = new FlowRows(
                    row.Flows[0] with { Anomalies = new(copies[i], 0, 0, 0) }, row.Flows[1]),
                Measures = new Dictionary<string, double?>(row.Measures) { [WhichQueueScenario.Republished.Name] = 7 },
            }),
        ];

        Assert.Equal(
            (word, reason), Of(new RunFolder(Some.RunOf(scenario), rows, []), "relay-killed-copies-are-of-publishers"));
    }

    [Fact]
    public void The_table_says_what_was_lost_in_how_many_trials_and_what_was_not_tested()
    {
        var report = AnalysisList.For(Scenario).ReportOf(Made(("redis", [0, 0, 0]), ("redis+everysec", [2, 3, 4]))).Markdown;

        // Clopper and Pearson of 0 and 3 of 3.
        Assert.Contains(
            "| redis |  |  |  |  |  | not tested | not tested | 0 of 300, in 0 of 3 (0 % to 71 %) |", report, StringComparison.Ordinal);
        Assert.Contains("| 9 of 300, in 3 of 3 (29 % to 100 %) |", report, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(90_000, "| redis | 7.0.15 | 4.00, 90.0 |  | 500, the most offered | 120 | not tested |")]
    [InlineData(110_000, "| redis | 7.0.15 | 4.00, 110 |  | below 500 |  | not tested |")]
    public void The_table_has_the_highest_rate_that_is_held_and_what_server_and_queue_take_there(double p99Us, string row)
    {
        var scenario = Scenario with { Trials = [QueueTrial.Relayed], Rates = [500] };
        var folder = Made(scenario, ("redis", [0, 0, 0]));
        IterationRow[] rows =
        [
            .. folder.Rows.Select(one => one with
            {
                Flows = new FlowRows(
                    one.Flows[0] with { FromDue = new() { Count = 100, Mean = 5_000, P50 = 4_000, P99 = p99Us } }, one.Flows[1]),
                Measures = new Dictionary<string, double?>(one.Measures)
                {
                    [WhichQueueScenario.Achieved.Name] = 500,
                    [WhichQueueScenario.RelayCpu.Name] = 100,
                    [WhichQueueScenario.QueueCpu.Name] = 20,
                },
            }),
        ];
        var run = Some.RunOf(scenario);
        run = run with
        {
            SetUp = run.SetUp with
            {
                Settings = new Dictionary<string, string>
                {
                    ["broker redis keeps"] = "all of it",
                    ["broker version of redis"] = "7.0.15",
                },
            },
        };

        var report = AnalysisList.For(scenario).ReportOf(new RunFolder(run, rows, [])).Markdown;

        Assert.Contains(row, report, StringComparison.Ordinal);
        Assert.Contains("| redis | all of it |", report, StringComparison.Ordinal);
    }

    private static (string Word, string Reason) Of(RunFolder folder, string claim)
    {
        var judged = AnalysisList.Judge(folder).Single(one => one.Claim.Id == claim).Together;
        return (judged.Word, judged.Reason);
    }

    private static RunFolder Made(params (string Arm, int[] Lost)[] arms) => Made(Scenario, arms);

    private static RunFolder Made(WhichQueueScenario scenario, params (string Arm, int[] Lost)[] arms)
    {
        var level = scenario.Levels[0];
        IterationRow[] rows =
        [
            .. from one in arms.SelectMany((arm, place) => arm.Lost.Select(
                   (lost, i) => (arm.Arm, Lost: lost, Iteration: i + 1, Place: place)))
               orderby one.Iteration, one.Place
               select Some.Row(one.Arm, 20, 1, one.Iteration) with
               {
                   Level = level,
                   Connections = scenario.UsersAt(level),
                   Flows = new FlowRows(
                       new FlowRow { Flow = WhichQueueScenario.Message, Buckets = Of(100, one.Lost) },
                       new FlowRow { Flow = WhichQueueScenario.Passage, Buckets = Of(0, 0) }),
                   Measures = scenario.Measures.ToDictionary(measure => measure.Name, _ => (double?)null),
               },
        ];
        return new RunFolder(Some.RunOf(scenario), rows, []);
    }

    private static Buckets Of(int messages, int lost) => new()
    {
        Attempts = messages,
        Acknowledged = messages,
        Delivered = messages - lost,
        LostAcknowledged = lost,
        Causes = new CauseCounts(Deadline: lost),
    };

    private static PubSubOverWs.Record.Scenarios.Arm Arm(string name) => QueueArms.All.Single(arm => arm.Name == name);
}
