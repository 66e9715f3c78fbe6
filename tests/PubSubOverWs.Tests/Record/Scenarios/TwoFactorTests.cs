using System.Text.Json;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard;

namespace PubSubOverWs.Tests.Record.Scenarios;

/// <summary>An experiment that is not of the program, with two factors and arms of its own, from its plan to its gates.</summary>
public sealed class TwoFactorTests
{
    private static readonly Factor Width = new("width", "m wide");

    private static readonly Factor Height = new("height", "m high");

    private static readonly ScenarioKind Kind = new(
        "toy", [new Arm("red", "paint"), new Arm("blue", "paint")], [new Contrast("red", "blue")], [Width, Height],
        [CommonKeys.Name, CommonKeys.Arms], [], () => new ToyScenario { Name = "toy" });

    private static readonly ToyScenario Scenario = new()
    {
        Name = "toy",
        Arms = Kind.Arms,
        Iterations = 4,
        Blocks = 2,
        WarmUps = 0,
        Floor = false,
        Gates = ["blue.loss == 0", "warn: blue.latency.mean / red.latency.mean < 3"],
    };

    [Fact]
    public void The_plan_has_every_level_in_every_block() => Assert.Equal(
        ["2-1", "2-3", "4-1", "4-3", "2-1", "2-3", "4-1", "4-3"],
        RunPlan.For(Scenario.Checked()).Select(step => step.Level.Key).Chunk(2).Select(pair => Assert.Single(pair.Distinct())));

    [Fact]
    public void Each_factor_has_a_column_of_its_own()
    {
        var row = Row("red", Scenario.Levels[1], 1, 7);
        var header = IterationCsv.Header(Kind.Factors);

        Assert.Equal(["arm", "width", "height", "block"], header.Take(4));
        var cells = Csv.Cells(IterationCsv.Line(row))!;
        var columns = header.Select((name, i) => (name, i)).ToDictionary(pair => pair.name, pair => pair.i);
        Assert.Equal(row.Level, IterationCsv.Parse(new CsvRow(columns, cells, "line 2"), Kind.Factors).Level);
    }

    [Fact]
    public void Arms_are_compared_at_every_level_and_gates_name_both()
    {
        var folder = Folder(latencyOfBlue: 20_000);

        var rows = Comparisons.Compute(MetricReadings.Read(folder, MessageMetrics.Latency));
        Assert.Equal(Scenario.Levels, rows.Select(row => row.Level));
        Assert.All(rows, row => Assert.InRange(row.Ratio!.Value, 1.9, 2.1));
        Assert.All(GateCheck.Check(folder, Gate.From(Scenario)), gate => Assert.True(gate.Passed));

        var slow = GateCheck.Check(Folder(latencyOfBlue: 50_000), Gate.From(Scenario))[1];
        Assert.Contains("at 2 m wide, 1 m high", slow.Sentence, StringComparison.Ordinal);
        Assert.StartsWith(
            "The gate 'direct.loss == 0' names 'direct'",
            Assert.Throws<GateException>(() => Gate.Parse("direct.loss == 0", Scenario)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_report_has_every_level_arm_and_metric_in_all_four_formats()
    {
        var report = StandardReport.Make(Folder(latencyOfBlue: 20_000), new Analysis([MessageMetrics.Latency, MessageMetrics.Bytes]));

        Assert.Contains(
            "mean latency: blue was 2.00 times red; not judged: a verdict needs 20 "
                + "[iterations](#terms) of each [arm](#terms) in 5 [blocks](#terms).", report.Markdown,
            StringComparison.Ordinal);
        foreach (var heading in new[] { "Findings", "Overview", "mean latency (ms)", "Losses", "Gates", "The machine" })
            Assert.Contains($"## {heading}", report.Markdown, StringComparison.Ordinal);
        Assert.Matches(@"\| width \| height \| arm \| n \| mean latency \(ms\) \|", report.Markdown);
        Assert.Matches(@"\| 4 \| 3 \| blue \| 4 \| 20\.0 \(0\.\d+\) \|", report.Markdown);
        Assert.Contains("id=\"mean-latency-drawing\"", report.Html, StringComparison.Ordinal);

        using var json = JsonDocument.Parse(report.Json);
        var row = json.RootElement.GetProperty("tables")[0].GetProperty("rows")[3];
        Assert.Equal("{\"width\":4,\"height\":3}", JsonSerializer.Serialize(row.GetProperty("level")));
        Assert.InRange(row.GetProperty("ratio").GetDouble(), 1.9, 2.1);
        Assert.Equal("toy", json.RootElement.GetProperty("experiment").GetString());

        var lines = report.Csv.Split('\n');
        Assert.Equal("metric,width,height,arm,against,statistic,value,unit", lines[0]);
        Assert.Contains("mean latency,2,3,red,,count,4,iterations", lines);
        Assert.All(lines.SkipLast(1), line => Assert.Equal(8, Csv.Cells(line)!.Count));
    }

    [Fact]
    public void A_difference_is_judged_from_20_iterations_in_five_blocks_on()
    {
        var report = StandardReport.Make(
            Folder(latencyOfBlue: 20_000, Scenario with { Iterations = 20, Blocks = 5 }), new Analysis([MessageMetrics.Latency]));

        Assert.Contains("of 4 judged [levels](#terms) 4 differ significantly", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("| higher |", report.Markdown, StringComparison.Ordinal);
    }

    private static RunFolder Folder(double latencyOfBlue, Scenario? scenario = null)
    {
        var run = Some.RunOf(scenario ?? Scenario);
        var rows = from step in run.Order
                   from arm in step.Arms
                   select Row(arm, step.Level, step.Block, step.Iteration, (arm == "red" ? 10_000 : latencyOfBlue) + step.Iteration);
        return new RunFolder(run, [.. rows.Select((row, i) => row with { Order = i + 1 })], []);
    }

    private static IterationRow Row(string arm, Level level, int block, int iteration, double meanUs = 10_000) =>
        Some.Row(arm, users: 10, block, iteration, meanUs) with { Level = level };

    private sealed record ToyScenario : Scenario
    {
        public override ScenarioKind Kind => TwoFactorTests.Kind;

        public override IReadOnlyList<string> DefaultArms => ["red", "blue"];

        public override IReadOnlyList<Level> Levels { get; } = [Of(2, 1), Of(2, 3), Of(4, 1), Of(4, 3)];

        public override Arrival Arrivals => Arrival.Burst;

        public override LevelLoad LoadAt(Level level) => new(10, 10);

        private static Level Of(int width, int height) => new([new Setting(Width, width), new Setting(Height, height)]);

        internal override void CheckLevels(string prefix)
        {
        }
    }
}
