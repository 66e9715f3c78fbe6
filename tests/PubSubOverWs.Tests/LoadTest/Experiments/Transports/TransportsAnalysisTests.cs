using PubSubOverWs.LoadTest.Experiments.Transports;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports;

public sealed class TransportsAnalysisTests
{
    private static readonly TransportsScenario Tests = new()
    {
        Name = "transports",
        Tests = ["Edmonton 1", "Lund 1", "Nagaoka 1"],
        Iterations = 5,
        Blocks = 5,
    };

    private static readonly TransportSweepScenario Sweep = new()
    {
        Name = "sweep",
        Delays = [5, 50, 125, 200],
        Iterations = 5,
        Blocks = 5,
    };

    private static readonly TransportModel Model = new(250, 150);

    [Fact]
    public void The_claims_about_tests_hold_where_the_ratios_are_those_of_the_model()
    {
        var claims = AnalysisList.Judge(OfTests(longPollingFarAway: 1.9));

        Assert.Equal(
            ["nothing-is-lost holds so far", "long-polling-is-alike holds", "polling-is-as-published holds",
                "long-polling-is-slow-far-away holds", "polling-is-slow-far-away holds", "long-polling-is-as-modelled not testable"],
            claims.Select(one => $"{one.Claim.Id} {one.Together.Word}"));
    }

    [Fact]
    public void Long_polling_that_is_as_fast_far_away_refutes_the_claim() => Assert.Equal(
        "refuted",
        AnalysisList.Judge(OfTests(longPollingFarAway: 1.1)).Single(one => one.Claim.Id == "long-polling-is-slow-far-away").Together.Word);

    [Fact]
    public void The_report_has_the_published_table_beside_the_measured_one_with_its_errata()
    {
        var report = ReportFolder.Make(OfTests(longPollingFarAway: 1.9)).Markdown;

        Assert.Contains("## The published table, and this run", report, StringComparison.Ordinal);
        Assert.Contains("| Edmonton 1 | websocket | 40.3 (7.6) | 40.3 (1.0) | 1.00 | 1.00 | 1.00 |", report, StringComparison.Ordinal);
        Assert.Contains("| Lund 1 | long-polling | 87.5 (2.26) | 91.9 (1.0) | 0.95 | 1.00 |", report, StringComparison.Ordinal);
        Assert.Matches(@"\| Nagaoka 1 \| polling \| 584\.3 \(508\.8\) \| .* \| slower \| slower in 5 of 5 \|", report);
        Assert.Contains("does not hold against long polling at Nagaoka", report, StringComparison.Ordinal);
    }

    [Fact]
    public void The_sweep_is_held_against_the_corrected_model_away_from_where_polls_keep_their_phase()
    {
        var claims = AnalysisList.Judge(OfSweep(Model.Expected)).ToDictionary(one => one.Claim.Id);

        Assert.Equal(
            ["holds", "not claimed", "holds", "holds"], claims["polling-is-as-modelled"].Levels.Select(one => one.Verdict.Word));
        Assert.Equal(
            ["holds", "holds", "not claimed", "holds"], claims["long-polling-is-as-modelled"].Levels.Select(one => one.Verdict.Word));
        Assert.Equal("holds", claims["websocket-is-as-modelled"].Together.Word);
        var asPublished = OfSweep((arm, nu) => arm == TransportArms.LongPolling ? Model.PublishedLongPolling(nu) : Model.Expected(arm, nu));
        Assert.Equal(
            "refuted", AnalysisList.Judge(asPublished).Single(one => one.Claim.Id == "long-polling-is-as-modelled").Together.Word);
    }

    [Fact]
    public void The_report_of_a_sweep_draws_both_models_and_what_was_measured()
    {
        var report = ReportFolder.Make(OfSweep(Model.Expected));

        Assert.Contains("| 200 | long-polling | 400.0 | 300.0 | 400.0 | 0.0 | yes |", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("id=\"sweep-long-polling-drawing\"", report.Html, StringComparison.Ordinal);
        Assert.Contains("id=\"sweep-polling-drawing\"", report.Html, StringComparison.Ordinal);
    }

    [Fact]
    public void The_claims_about_cuts_hold_where_plain_clients_miss_what_the_model_says_and_resuming_ones_nothing()
    {
        var claims = AnalysisList.Judge(OfCuts(ExpectedMisses)).ToDictionary(one => one.Claim.Id, one => one.Together.Word);

        Assert.Equal("holds so far", claims["resuming-clients-miss-nothing"]);
        Assert.Equal("holds so far", claims["event-sources-miss-nothing"]);
        Assert.Equal("holds so far", claims["nothing-comes-twice"]);
        Assert.Equal("holds", claims["websocket-misses-two-ways"]);
        Assert.Equal("holds", claims["long-polling-misses-one-way"]);
        Assert.Equal("holds", claims["polling-misses-one-way"]);
    }

    [Fact]
    public void One_measurement_that_a_resuming_client_misses_refutes_that_it_misses_none()
    {
        var claims = AnalysisList.Judge(OfCuts((arm, level) => ExpectedMisses(arm, level) + (arm == TransportArms.Polling ? 1 : 0)));

        Assert.Equal("refuted", claims.Single(one => one.Claim.Id == "resuming-clients-miss-nothing").Together.Word);
        Assert.Equal("holds so far", claims.Single(one => one.Claim.Id == "event-sources-miss-nothing").Together.Word);
    }

    [Fact]
    public void The_report_of_cuts_tells_what_never_came_from_what_came_late()
    {
        var report = ReportFolder.Make(OfCuts(ExpectedMisses)).Markdown;

        Assert.Contains("Packet loss is imitated", report, StringComparison.Ordinal);
        // 32 missing and 3 late, at 100 cuts in each of five iterations.
        Assert.Matches(@"\| 0 \| plain \| websocket \| 5 \| 32[.0]* \(0[.0]*\) \| 0\.32[0]* \(0[.0]*\) \| 3[.0]* \(0[.0]*\) \|", report);
    }

    private static long ExpectedMisses(string arm, Level level) => TransportCutsScenario.Resumes(level) ? 0 : arm switch
    {
        TransportArms.WebSocket or TransportArms.WebSocketHttp2 => 32,
        TransportArms.Events => 0,
        _ => 16,
    };

    private static RunFolder OfCuts(Func<string, Level, long> missing)
    {
        var scenario = new TransportCutsScenario { Name = "cuts", Losses = [0, 5], Iterations = 5, Blocks = 5 };
        const int Late = 3;
        return Folder(scenario, (_, _) => 60, (arm, row) =>
        {
            var flow = row.Flows[1];
            var misses = missing(arm, row.Level);
            return row with
            {
                Measures = new Dictionary<string, double?> { ["cuts"] = 100, ["untilFirst"] = 200 },
                Flows = new FlowRows(row.Flows[0], flow with
                {
                    Buckets = flow.Buckets with
                    {
                        Delivered = flow.Buckets.Attempts - misses - Late,
                        Late = Late,
                        LostUnacknowledged = misses,
                        Causes = new CauseCounts(Deadline: misses + Late),
                    },
                }),
            };
        });
    }

    private static RunFolder OfTests(double longPollingFarAway) => Folder(Tests, (arm, level) =>
    {
        var test = TransportsScenario.PublishedAt(level);
        return test.WebSocket.Mean * arm switch
        {
            TransportArms.LongPolling => test.Site == "Nagaoka" ? longPollingFarAway : 1,
            TransportArms.Polling => test.Polling.Mean / test.WebSocket.Mean,
            _ => 1,
        };
    });

    private static RunFolder OfSweep(Func<string, double, double> mean) => Folder(Sweep, (arm, level) => mean(arm, level.Number));

    private static RunFolder Folder(
        TransportScenario scenario, Func<string, Level, double> meanMs, Func<string, IterationRow, IterationRow>? change = null)
    {
        var run = Some.RunOf(scenario);
        var rows = from step in run.Order
                   from arm in step.Arms
                   let row = Row(scenario, arm, step, 1000 * meanMs(arm, step.Level))
                   select change is null ? row : change(arm, row);
        return new RunFolder(run, [.. rows.Select((row, i) => row with { Order = i + 1 })], []);
    }

    private static IterationRow Row(TransportScenario scenario, string arm, PlannedIteration step, double meanUs)
    {
        var attempts = (int)scenario.AttemptsOf(scenario.Flows[1], step.Level)!.Value;
        var latency = Some.Latency(attempts, meanUs) with { StandardDeviation = 1000 };
        return Some.Row(arm, 1, step.Block, step.Iteration) with
        {
            Level = step.Level,
            Connections = scenario.UsersAt(step.Level),
            ClientBytes = null,
            Drops = null,
            Queue = null,
            Cpu = new CpuTimes(null, null, TimeSpan.FromMilliseconds(1), null),
            Measures = new Dictionary<string, double?> { ["pairedDifference"] = 0, ["requestsPerMeasurement"] = 1 },
            Flows = new FlowRows(
                new FlowRow { Flow = scenario.Flows[0] },
                new FlowRow
                {
                    Flow = scenario.Flows[1],
                    Buckets = new Buckets { Attempts = attempts, Delivered = attempts },
                    FromDue = latency,
                    FromSent = latency,
                }),
        };
    }
}
