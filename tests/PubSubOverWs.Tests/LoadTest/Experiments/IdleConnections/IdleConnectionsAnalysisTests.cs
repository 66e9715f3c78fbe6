using PubSubOverWs.LoadTest.Experiments.IdleConnections;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.IdleConnections;

/// <summary>Records of ten connections, five times: what holds and what refutes each claim.</summary>
public sealed class IdleConnectionsAnalysisTests
{
    private static readonly IdleConnectionsScenario Scenario = new()
    { Name = "idle", Connections = [10], Messages = 2, Iterations = 5, Blocks = 5 };

    [Theory]
    [InlineData(20, 12, "holds", "holds")]
    [InlineData(20, 18, "holds", "refuted")]
    [InlineData(30, 12, "refuted", "holds")]
    public void Memory_is_judged_by_connection_and_by_the_ratio_of_the_front_ends(double kib, double lean, string most, string ratio) =>
        Assert.Equal(["holds so far", most, ratio], Judge(Rows(kib, lean)).Select(claim => claim.Together.Word));

    [Fact]
    public void One_copy_that_does_not_arrive_in_time_fails_the_run()
    {
        var rows = Rows(20, 12).Select(row => row is { Iteration: 3, Arm: "pubsub+lean" } ? Lost(row) : row);

        var failing = Assert.Single(Judge(rows), claim => claim.Fails);
        Assert.Equal(
            ("every-subscriber-has-every-message", "pubsub+lean: 1 of 100 did not arrive in time"),
            (failing.Claim.Id, failing.Together.Reason));
    }

    [Fact]
    public void A_run_of_one_arm_judges_what_that_arm_claims() => Assert.Equal(
        ["holds so far", "holds", "not judged (quick)"],
        Judge(Rows(20, 12).Where(row => row.Arm == "pubsub")).Select(claim => claim.Together.Word));

    private static IReadOnlyList<ClaimResult> Judge(IEnumerable<IterationRow> rows) =>
        AnalysisList.Judge(new RunFolder(Some.RunOf(Scenario), [.. rows], []));

    // They differ a little from block to block, in both arms by themselves.
    private static IEnumerable<IterationRow> Rows(double kib, double lean) =>
        from one in Trial.From(Scenario, RunPlan.For(Scenario))
        let memory = (one.Arm.Name == "pubsub" ? kib + (0.1 * (one.Block % 2)) : lean + (0.1 * (one.Block % 3)))
        select Some.Row(one.Arm.Name, 1, one.Block, one.Iteration) with
        {
            Level = one.Level,
            Order = one.Order,
            Start = TimeSpan.FromMinutes(one.Order),
            Connections = 11,
            Flows = new FlowRows(Scenario.Flows.Select(flow => new FlowRow
            {
                Flow = flow,
                ScheduleLagP99 = TimeSpan.Zero,
                Buckets = new Buckets { Attempts = 20, Delivered = 20 },
                FromDue = Some.Latency(20, 10_000),
                FromSent = Some.Latency(20, 10_000),
            })),
            Queue = new QueueTraffic(new(1, 1, 1, 0, 0), 0, default, 0),
            Measures = new Dictionary<string, double?>(Scenario.Measures.ToDictionary(measure => measure.Name, _ => (double?)1))
            {
                [IdleConnectionsScenario.PerConnection.Name] = memory,
            },
        };

    private static IterationRow Lost(IterationRow row) => row with
    {
        Flows = new FlowRows(row.Flows.Select(flow => flow with
        {
            Buckets = new Buckets { Attempts = 20, Delivered = 19, LostUnacknowledged = 1, Causes = new CauseCounts(Deadline: 1) },
        })),
    };
}
