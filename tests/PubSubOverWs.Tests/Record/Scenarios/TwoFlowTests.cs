using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Latency;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Tests.Record.Scenarios;

/// <summary>An experiment with several flows: what it is judged by, and what can be asked of one of them.</summary>
public sealed class TwoFlowTests
{
    private static readonly ScenarioKind Toy = new(
        "toy", [new Arm("direct", "paint"), new Arm("pubsub", "paint")], [new Contrast("direct", "pubsub")], [OneWayScenario.UsersFactor],
        [CommonKeys.Name, CommonKeys.Arms], [], () => new TwoFlowScenario { Name = "flows" });

    private static readonly TwoFlowScenario Scenario = new() { Name = "flows" };

    [Fact]
    public void A_row_is_judged_by_its_judged_flows_and_by_the_latency_of_the_first_of_them()
    {
        var row = Row(1);

        Assert.Equal((30, 27, 3), (row.Buckets.Attempts, row.Buckets.Delivered, row.Buckets.Lost));
        Assert.Equal(3, row.Anomalies.Duplicates);
        Assert.Equal(TimeSpan.FromMilliseconds(2), row.ScheduleLagP99);
        Assert.Equal(5000, row.Latency.Mean);
    }

    [Fact]
    public void A_metric_is_of_all_judged_flows_or_of_one()
    {
        var row = Row(1);

        Assert.Equal(0.1, MessageMetrics.Loss.Reading!(Scenario, row));
        Assert.Equal(0.3, MessageMetrics.Loss.Of(Scenario.Flows[1]).Reading!(Scenario, row));
        Assert.Equal(9000, MessageMetrics.Latency.Of(Scenario.Flows[2]).Reading!(Scenario, row));
        Assert.Equal("stream: mean latency", MessageMetrics.Latency.Of(Scenario.Flows[2]).Name);
        Assert.Throws<InvalidOperationException>(() => MessageMetrics.Bytes.Of(Scenario.Flows[0]));
    }

    [Theory]
    [InlineData("direct.reply.loss <= 30%", true)]
    [InlineData("direct.reply.loss < 30%", false)]
    [InlineData("direct.loss <= 10%", true)]
    [InlineData("direct.request.latency.mean < 6ms", true)]
    [InlineData("direct.stream.latency.mean < 6ms", false)]
    [InlineData("direct.stream.latency.mean / direct.request.latency.mean < 2", true)]
    public void A_gate_can_name_a_flow(string text, bool passes)
    {
        var folder = new RunFolder(Some.RunOf(Scenario), [Row(1)], []);

        Assert.Equal(passes, Assert.Single(GateCheck.Check(folder, [Gate.Parse(text, Scenario)])).Passed);
    }

    [Theory]
    [InlineData("direct.answer.loss == 0", "asks for 'answer.loss', which is not measured: ")]
    [InlineData("direct.stream.bytes < 300", "asks for bytes of one flow, and a trial has it once: write X.bytes.")]
    public void A_gate_on_a_missing_flow_or_on_a_metric_that_the_flow_lacks_is_refused(string text, string why) => Assert.Contains(
        why, Assert.Throws<GateException>(() => Gate.Parse(text, Scenario)).Message, StringComparison.Ordinal);

    [Fact]
    public void Where_there_is_one_flow_a_gate_does_not_name_it() => Assert.Equal(
        "The gate 'direct.message.loss == 0' names the flow 'message', and there is no other: write X.loss.",
        Assert.Throws<GateException>(() => Gate.Parse("direct.message.loss == 0", Some.Scenario)).Message);

    [Theory]
    [InlineData("burst", LatencyFrom.Sent)]
    [InlineData("spread:2s", LatencyFrom.Due)]
    public void The_messages_of_a_burst_count_from_when_they_were_sent_and_others_from_when_they_were_due(string arrival, LatencyFrom from)
    {
        var flow = Assert.Single((Some.Scenario with { Arrival = Arrival.Parse(arrival) }).Flows);

        Assert.Equal(("message", from, true), (flow.Name, flow.Latency, flow.Judged));
    }

    [Fact]
    public void Each_flow_has_a_line_in_flows_csv_and_in_the_log()
    {
        using var folder = new TemporaryFolder();
        var row = Row(1);
        using (var writer = RecordWriter.Create(folder.Path, Some.RunOf(Scenario with { Keeps = false }) with { Complete = false }))
        {
            Assert.Throws<ArgumentException>(() => writer.Add(row with { Flows = new FlowRows(row.Flows[0]) }, Latencies(row), []));
            writer.Add(row, Latencies(row), []);
        }

        var lines = File.ReadAllLines(RecordFiles.Flows(folder.Path));
        Assert.Equal(
            ["direct,1,request", "direct,1,reply", "direct,1,stream"], lines[1..].Select(line => string.Join(',', line.Split(',')[..3])));
        var read = CsvTable.Read(
            RecordFiles.Flows(folder.Path), FlowCsv.Header, line => FlowCsv.ParseLine(line, Scenario.Flows), mayBeCut: false);
        Assert.Equal(row, Assert.Single(FlowCsv.Into([row with { Flows = new FlowRows(row.Flows[0]) }], [.. read], Scenario.Flows)));

        Assert.Equal(
            ["direct-10-request/1", "direct-10-reply/1", "direct-10-stream/1"],
            File.ReadLines(RecordFiles.Latency(folder.Path)).Select(HistogramLog.ReadLine).OfType<(string Tag, Distribution)>()
                .Select(one => one.Tag));
        var record = new RunFolder(Some.RunOf(Scenario), [row], []) { Latency = LatencyLog.Read(folder.Path, [row], mayBeCut: false) };
        Assert.Equal(20, record.LatencyOf(row)!.Count);
        Assert.Equal(480, record.LatencyOf(row.Only("stream"))!.Count);
        Assert.False(File.Exists(RecordFiles.Samples(folder.Path)));
        Assert.Contains("\"keepsSamples\": false", File.ReadAllText(RecordFiles.Run(folder.Path)), StringComparison.Ordinal);
    }

    [Fact]
    public void Where_samples_are_kept_a_row_is_not_written_without_them()
    {
        using var folder = new TemporaryFolder();
        using var writer = RecordWriter.Create(folder.Path, Some.RunOf(Scenario) with { Complete = false });
        Assert.Throws<ArgumentException>(() => writer.Add(Row(1), Latencies(Row(1)), []));
    }

    private static IReadOnlyList<LatencyHistogram> Latencies(IterationRow row) => [.. row.Flows.Select(flow =>
    {
        var histogram = new LatencyHistogram();
        histogram.TryRecord(TimeSpan.FromMilliseconds(5), flow.Latency.Count);
        return histogram;
    })];

    private static IterationRow Row(int iteration) => Some.Row("direct", 10, 1, iteration) with
    {
        Flows = new FlowRows(
            Flow(0, 20, 0, 1) with { FromDue = Some.Latency(20, 5000), ScheduleLagP99 = TimeSpan.FromMilliseconds(2) },
            Flow(1, 10, 3, 2) with { FromSent = Some.Latency(7, 6000), ScheduleLagP99 = TimeSpan.FromMilliseconds(1) },
            Flow(2, 500, 20, 4) with { FromSent = Some.Latency(480, 9000), ScheduleLagP99 = TimeSpan.FromMilliseconds(9) }),
    };

    private static FlowRow Flow(int flow, long attempts, long lost, long duplicates) => new()
    {
        Flow = Scenario.Flows[flow],
        Buckets = new Buckets
        { Attempts = attempts, Delivered = attempts - lost, Refused = lost, Causes = new CauseCounts(Shed: lost) },
        Anomalies = new Anomalies(duplicates, 0, 0, 0),
    };

    private sealed record TwoFlowScenario : Scenario
    {
        public TwoFlowScenario() => (Arms, Iterations, Blocks, WarmUps, Floor) = ([new Arm("direct", "paint")], 1, 1, 0, false);

        public bool Keeps { get; init; } = true;

        public override ScenarioKind Kind => Toy with { KeepsSamples = Keeps };

        public override IReadOnlyList<string> DefaultArms => ["direct"];

        public override IReadOnlyList<Level> Levels { get; } = [Some.Level(10)];

        public override Arrival Arrivals => Arrival.Burst;

        public override IReadOnlyList<Flow> Flows { get; } =
        [
            new("request", "client", "server", LatencyFrom.Due), new("reply", "server", "client", LatencyFrom.Sent),
            new("stream", "server", "client", LatencyFrom.Sent, Judged: false),
        ];

        public override LevelLoad LoadAt(Level level) => new(10, 530);

        internal override void CheckLevels(string prefix)
        {
        }
    }
}
