using PubSubOverWs.LoadTest.Experiments.StalledReaders;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;
using PubSubOverWs.Tests.LoadTest.Commands;
using PubSubOverWs.Tests.Record;
using static PubSubOverWs.LoadTest.Experiments.StalledReaders.StalledReadersScenario;

namespace PubSubOverWs.Tests.LoadTest.Experiments.StalledReaders;

/// <summary>Records of two readers and one other connection: what refutes a claim, and that such a run fails.</summary>
public sealed class StalledReadersAnalysisTests : IDisposable
{
    private static readonly StalledReadersScenario Scenario = new()
    { Name = "stalled", Others = [1], Readers = 2, Rate = 10, For = TimeSpan.FromMilliseconds(100), Iterations = 20, WarmUps = 0 };

    private readonly TemporaryFolder _folder = new();

    [Fact]
    public async Task A_run_within_the_bar_holds_every_claim_and_succeeds()
    {
        Assert.All(Judge(Rows(stalled: 1.4)), claim => Assert.Equal(("holds", false), (claim.Word, claim.Fails)));
        Assert.Equal(0, await ReportAsync(Rows(stalled: 1.4)));
    }

    [Fact]
    public async Task A_run_in_which_stalled_readers_cost_the_others_more_than_the_bar_ends_with_2()
    {
        var rows = Rows(stalled: 1.6);

        Assert.Equal(
            [
                ("direct-stalled-costs-little", "refuted", true), ("pubsub-stalled-costs-little", "refuted", true),
                ("readers-get-everything", "holds", false), ("other-connections-as-specified", "holds", false),
            ],
            Judge(rows));
        Assert.Equal(2, await ReportAsync(rows));
    }

    [Fact]
    public void One_message_of_a_reader_that_is_lost_fails_the_run() => Assert.Equal(
        ["readers-get-everything"],
        Failing(Rows(change: row => row is { Arm: "pubsub-stalled", Iteration: 3 } ? Lost(row) : row)));

    [Theory]
    [InlineData("direct-reading", "direct-stalled")]
    [InlineData("pubsub-alone", "pubsub-reading")]
    [InlineData("pubsub-alone", "pubsub-stalled")]
    [InlineData("direct-disconnected", "direct-stalled")]
    public void Arms_that_were_swapped_are_found_out(string one, string other) => Assert.Equal(
        ["other-connections-as-specified"],
        Failing(Rows(change: row => row with
        {
            Measures = row.Arm == one ? Measures(other) : row.Arm == other ? Measures(one) : row.Measures,
        })));

    [Theory]
    [InlineData("direct-stalled", "othersRead", 1.0)]
    [InlineData("direct-stalled", "disconnected", 1.0)]
    [InlineData("direct-stalled", "rounds", 0.0)]
    [InlineData("pubsub-reading", "othersRead", 4.0)]
    [InlineData("pubsub-disconnected", "told", 0.0)]
    public void A_connection_that_does_otherwise_than_its_arm_says_fails_the_run(string arm, string measure, double value) =>
        Assert.Equal(
        ["other-connections-as-specified"],
        Failing(Rows(change: row => row.Arm == arm && row.Iteration == 7
            ? row with { Measures = new Dictionary<string, double?>(row.Measures) { [measure] = value } }
            : row)));

    public void Dispose() => _folder.Dispose();

    private static IEnumerable<string> Failing(IEnumerable<IterationRow> rows) =>
        Judge(rows).Where(claim => claim.Fails).Select(claim => claim.Id);

    private static IEnumerable<(string Id, string Word, bool Fails)> Judge(IEnumerable<IterationRow> rows) =>
        AnalysisList.Judge(new RunFolder(Some.RunOf(Scenario), [.. rows], []))
            .Select(claim => (claim.Claim.Id, claim.Together.Word, claim.Fails));

    // The exit code, as the files give it.
    private async Task<int> ReportAsync(IEnumerable<IterationRow> rows)
    {
        var run = Some.RunOf(Scenario) with { Started = default, Ended = null, Complete = false };
        using (var writer = RecordWriter.Create(_folder.Path, run))
        {
            foreach (var row in rows)
                writer.Add(row, [.. row.Flows.Select((flow, i) => Attempt(flow, i))], []);
            writer.Replace(run with { Ended = run.Started.AddHours(1), Complete = true });
        }

        return await new TestTerminal().RunAsync("report", _folder.Path);
    }

    private static Attempt Attempt(FlowRow flow, int index) => Some.Attempt(index) with
    {
        Due = TimeSpan.Zero,
        Sent = TimeSpan.Zero,
        Received = TimeSpan.FromMicroseconds(flow.FromDue.Mean!.Value),
        Flow = index,
    };

    // Latencies differ a little from iteration to iteration and block to block, in all arms alike.
    private static IEnumerable<IterationRow> Rows(double stalled = 1, Func<IterationRow, IterationRow>? change = null) =>
        from one in Trial.From(Scenario, RunPlan.For(Scenario))
        let factor = OtherArms.DoingOf(one.Arm.Name) == Doing.Stalled ? stalled : 1
        let latency = factor * (10_000 + (100 * (one.Iteration % 7)) + (one.Block * 50))
        let row = Some.Row(one.Arm.Name, 1, one.Block, one.Iteration) with
        {
            Level = one.Level,
            Order = one.Order,
            Start = TimeSpan.FromSeconds(one.Order),
            Connections = Scenario.UsersOf(one.Arm.Name, one.Level),
            Flows = new FlowRows(Scenario.Flows.Select(flow => Flow(flow, Math.Round(latency)))),
            Queue = one.Arm.HasQueue ? new QueueTraffic(new(1, 1, 1, 0, 0), 0, default, 0) : default,
            Measures = Measures(one.Arm.Name),
        }
        select change?.Invoke(row) ?? row;

    private static FlowRow Flow(Flow flow, double latency)
    {
        var summary = new LatencySummary
        { Count = 1, Mean = latency, Min = latency, Max = latency, P50 = latency, P90 = latency, P99 = latency, RestrictedMean = latency };
        return new FlowRow
        {
            Flow = flow,
            ScheduleLagP99 = TimeSpan.Zero,
            Buckets = new Buckets { Attempts = 1, Delivered = 1 },
            FromDue = summary,
            FromSent = summary,
        };
    }

    private static IterationRow Lost(IterationRow row) => row with
    {
        Flows = new FlowRows(row.Flows.Select(flow => flow with
        { Buckets = new Buckets { Attempts = 1, LostUnacknowledged = 1, Causes = new CauseCounts(Deadline: 1) } })),
    };

    private static Dictionary<string, double?> Measures(string arm)
    {
        var doing = OtherArms.DoingOf(arm);
        return new(Scenario.Measures.ToDictionary(measure => measure.Name, _ => (double?)0))
        {
            [Rounds.Name] = doing is Doing.Stalled or Doing.Disconnected ? 30 : 0,
            [OthersSent.Name] = doing is Doing.Reading or Doing.Stalled ? 5 : 0,
            [OthersRead.Name] = doing switch { Doing.Reading => 5, Doing.Disconnected => 30, _ => 0 },
            [StalledReadersScenario.Disconnected.Name] = doing == Doing.Disconnected ? 1 : 0,
            [Told.Name] = doing == Doing.Disconnected ? 1 : 0,
        };
    }
}
