using System.Globalization;
using System.Text.Json;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report;
using PubSubOverWs.Tests.LoadTest.Harness.Network;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed class PaperReportTests
{
    private static readonly string[][] Rows = [.. ReportFolder.Make(SmallRun.Folder).Csv.TrimEnd('\n').Split('\n')
        .Select(line => line.Split(','))];

    [Theory]
    [InlineData("report.golden.json")]
    [InlineData("report.golden.html")]
    [InlineData("report.golden.csv")]
    public void A_small_report_reads_as_it_was_reviewed(string name) => Golden.Same(name, ReportFolder.Make(SmallRun.Folder));

    [Fact]
    public void The_same_folder_gives_the_same_bytes_without_samples_and_whatever_was_there_before()
    {
        using var folder = new TemporaryFolder();
        Write(folder.Path, SmallRun.Folder);
        var first = ReportFolder.Write(folder.Path, RecordReader.Read(folder.Path));
        var bytes = File.ReadAllBytes(folder.Of("report.md"));
        File.Delete(RecordFiles.Samples(folder.Path));
        File.Delete(RecordFiles.Stats(folder.Path));
        Assert.Equal(first.Named, ReportFolder.Write(folder.Path, RecordReader.Read(folder.Path)).Named);
        Assert.Equal(bytes, File.ReadAllBytes(folder.Of("report.md")));
    }

    [Fact]
    public void A_report_says_first_that_it_replicates_on_other_hardware_without_the_authors_artefacts() =>
        Assert.StartsWith(
            "This is a replication without the authors' artefacts, on different hardware", Findings(SmallRun.Folder)[0],
            StringComparison.Ordinal);

    [Fact]
    public void A_scenario_of_a_user_has_levels_and_gates_and_is_held_against_no_hypothesis()
    {
        var files = ReportFolder.Make(SmallRun.Of(SmallRun.Scenario with { Name = "mine" }));

        Assert.Empty(files.Verdicts);
        Assert.DoesNotMatch("H[123][ab']?\\b|(direct|pubsub|R|p) published|replicat|hypothes", files.Markdown);
        Assert.DoesNotMatch("H[123][ab']?\\b|replicat", files.Html);
        Assert.Contains("## Loss, latency and bytes by level", files.Markdown, StringComparison.Ordinal);
        Assert.Contains("pubsub.loss == 0", files.Markdown, StringComparison.Ordinal);
        using var json = JsonDocument.Parse(files.Json);
        Assert.Equal(0, json.RootElement.GetProperty("hypotheses").GetArrayLength());
    }

    [Fact]
    public void An_invalid_run_says_so_before_anything_else_and_judges_nothing()
    {
        var folder = SmallRun.Folder with { Run = SmallRun.Folder.Run with { Checks = new RunChecks(QueueAlive: false) } };
        Assert.StartsWith("THIS RUN IS INVALID", Findings(folder)[0], StringComparison.Ordinal);
        Assert.Contains("Validity: THIS RUN IS INVALID", ReportFolder.Make(folder).Markdown, StringComparison.Ordinal);
        Assert.All(Verdicts(folder), verdict => Assert.Equal("not-testable", verdict));
    }

    [Fact]
    public void A_gate_that_names_a_baseline_is_undecided_in_a_report_of_one_folder()
    {
        const string Gate = "pubsub.loss <= baseline";
        var folder = SmallRun.Folder with
        { Run = SmallRun.Folder.Run with { Scenario = SmallRun.Folder.Run.Scenario with { Gates = [Gate] } } };
        Assert.Contains(
            $"- {Gate}: undecided, because a report is made of this folder alone: report DIR --baseline B decides it.\n",
            ReportFolder.Make(folder).Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void An_interrupted_run_says_that_it_is_incomplete_and_how_many_rows_and_blocks_it_has()
    {
        var folder = SmallRun.Folder with
        {
            Run = SmallRun.Folder.Run with { Complete = false },
            Rows = [.. SmallRun.Folder.Rows.Where(row => row.Block < 3)],
        };
        Assert.StartsWith("This run is INCOMPLETE: 64 of 160 rows and 2 of 5 blocks", Findings(folder)[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Findings_begin_with_the_arms_that_were_not_steady_and_say_nothing_where_all_were()
    {
        var steady = SmallRun.Of(SmallRun.Scenario with { WarmUps = 3, MostWarmUps = 3 });
        var unlike = steady.Rows.First(row => row is { Block: 3, Arm: Relays.PubSub, Users: 500, WarmUp: true });
        var cold = steady with
        {
            Rows = [.. steady.Rows.Select(row =>
                row == unlike ? row with { Cpu = row.Cpu with { Server = TimeSpan.FromMinutes(1) } } : row)],
        };

        Assert.Matches(
            @"^Arms may not have been steady: .* began: .+; NOT STEADY: pubsub at 500 in block 3 after 3 \(1\.. s\)\.$",
            Findings(cold)[0]);
        Assert.DoesNotContain(Findings(steady), found => found.StartsWith("Arms may", StringComparison.Ordinal));
        Assert.Contains("| arms steady when measuring began | yes |", ReportFolder.Make(steady).Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void Superseded_rows_and_warm_up_change_nothing_that_is_judged()
    {
        var noisy = SmallRun.Folder.Rows.Where(row => row.WarmUp).Select(row => row with { FromSent = Some.Latency(50, 9e6) });
        var old =
            SmallRun.Folder.Rows.Select(row =>
                row with { Iteration = row.Iteration + 1000, Superseded = true, FromSent = Some.Latency(50, 9e6) });
        var folder = SmallRun.Folder with { Rows = [.. SmallRun.Folder.Rows.Where(row => !row.WarmUp), .. noisy, .. old] };
        Assert.Equal(Tables(SmallRun.Folder), Tables(folder));
    }

    [Fact]
    public void One_arm_alone_is_shown_and_compared_with_nothing()
    {
        var folder = SmallRun.Folder with { Rows = [.. SmallRun.Folder.Rows.Where(row => row.Arm == Relays.PubSub)] };
        Assert.Contains("pubsub 0 of 16500 messages", Findings(folder)[1], StringComparison.Ordinal);
        Assert.All(Verdicts(folder), verdict => Assert.Equal("not-testable", verdict));
    }

    [Fact]
    public void A_run_in_which_nothing_was_measured_still_has_a_report() =>
        Assert.Contains("Nothing was measured.", Findings(SmallRun.Folder with { Rows = [] }));

    [Fact]
    public void Bytes_of_a_server_that_did_not_report_them_are_missing_and_not_zero()
    {
        var folder = SmallRun.Folder with
        {
            Rows = [.. SmallRun.Folder.Rows.Select(row =>
                row.Arm == Relays.Direct ? row with { ClientBytes = null, Queue = null, Drops = null } : row)],
        };
        Assert.Equal("not-testable", Verdicts(folder)[^1]);
        Assert.DoesNotContain(Findings(folder), found => found.StartsWith("Per delivered message", StringComparison.Ordinal));
        Assert.Contains("| 50 | direct | – | – | – | – | – |", ReportFolder.Make(folder).Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void An_iteration_whose_bytes_are_not_known_is_left_out_of_their_comparison()
    {
        var left = SmallRun.Folder.Rows.First(row => row.Counts && row.Arm == Relays.PubSub && row.Users == 50);
        var folder = SmallRun.Folder with
        { Rows = [.. SmallRun.Folder.Rows.Select(row => row == left ? row with { ClientBytes = null } : row)] };
        using var report = JsonDocument.Parse(ReportFolder.Make(folder).Json);
        var measured = report.RootElement.GetProperty("bytes").GetProperty("rows")[0].GetProperty("measured");
        Assert.Equal(
            (30, 29),
            (measured.GetProperty("first").GetProperty("count").GetInt32(),
                measured.GetProperty("second").GetProperty("count").GetInt32()));
    }

    [Fact]
    public void Open_loop_work_is_judged_from_the_intended_send()
    {
        var scenario = SmallRun.Scenario with { Arrival = PubSubOverWs.Record.Scenarios.Arrival.Parse("spread:2s") };
        var report = ReportFolder.Make(SmallRun.Of(scenario)).Markdown;
        Assert.Contains("Latency is received - due", report, StringComparison.Ordinal);
        Assert.Contains("| 500 | direct | 100.0 % | 30.0 | 250 |", report, StringComparison.Ordinal);
    }

    [Fact]
    public void Servers_that_were_already_there_are_one_block()
    {
        var folder = SmallRun.Folder with
        { Run = SmallRun.Folder.Run with { SetUp = SmallRun.Folder.Run.SetUp with { OwnServers = false } } };
        using var report = JsonDocument.Parse(ReportFolder.Make(folder).Json);
        Assert.All(
            report.RootElement.GetProperty("latency").GetProperty("rows").EnumerateArray(),
            row => Assert.Equal(1, row.GetProperty("measured").GetProperty("blocks").GetInt32()));
    }

    [Fact]
    public void Events_other_than_starting_and_stopping_are_listed()
    {
        var rejected = new EventRow(TimeSpan.FromSeconds(1.5), "failure", Relays.PubSub, "status 503, 3 times");
        var report = ReportFolder.Make(SmallRun.Folder with { Events = [.. SmallRun.Folder.Events, rejected] }).Markdown;
        Assert.Contains("- 1.5 s, failure, pubsub: status 503, 3 times", report, StringComparison.Ordinal);
        Assert.DoesNotContain("started, direct", report, StringComparison.Ordinal);
    }

    [Fact]
    public void A_report_says_how_many_events_it_leaves_out()
    {
        RunFolder With(int events) => SmallRun.Folder with
        {
            Events = [.. Enumerable.Range(0, events).Select(i => new EventRow(TimeSpan.FromSeconds(i), "failure", Relays.PubSub, $"{i}"))],
        };

        Assert.Contains("The first 20 of 21 events other than", ReportFolder.Make(With(21)).Markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("The first 20", ReportFolder.Make(With(20)).Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_row_names_its_table_level_arm_metric_and_unit()
    {
        Assert.Equal(["table", "users", "arm", "metric", "value", "unit"], Rows[0]);
        Assert.All(Rows, row => Assert.Equal(6, row.Length));
        Assert.Distinct(Rows.Select(row => string.Join('|', row[..4])));
    }

    [Fact]
    public void Numbers_are_those_of_report_json_digit_by_digit()
    {
        using var json = JsonDocument.Parse(ReportFolder.Make(SmallRun.Folder).Json);
        var measured = json.RootElement.GetProperty("latency").GetProperty("rows")[1].GetProperty("measured");
        Assert.Equal(measured.GetProperty("first").GetProperty("mean").GetRawText(), Value("latency", "500", "direct", "mean"));
        Assert.Equal(
            measured.GetProperty("iterations").GetProperty("test").GetProperty("t").GetRawText(), Value("latency", "500", "", "t"));
        Assert.Equal(measured.GetProperty("iterations").GetProperty("holmP").GetRawText(), Value("latency", "500", "", "holmP"));
    }

    [Fact]
    public void Missing_values_have_no_row()
    {
        Assert.DoesNotContain(Rows, row => row[4].Length == 0);
        Assert.DoesNotContain(Rows[1..], row => row[0] == "bytes" && row[3] == "publishedMean" && row[4] == "0");
        Assert.All(
            Rows[1..].Where(row => row[3].Split(' ')[0] is not ("verdict" or "direction" or "size")),
            row => Assert.True(double.IsFinite(double.Parse(row[4], CultureInfo.InvariantCulture))));
    }

    [Fact]
    public void Verdicts_are_written_as_words() => Assert.Equal(
        ("direction-only", "as-claimed", "other"),
        (Value("latency", "500", "", "verdict H2"), Value("latency", "500", "", "direction H2"), Value("latency", "500", "", "size H2")));

    private static void Write(string path, RunFolder folder)
    {
        using var writer = RecordWriter.Create(path, folder.Run);
        foreach (var row in folder.Rows)
            writer.Add(row, [.. Enumerable.Range(0, row.Users).Select(Some.Attempt)], []);
        foreach (var one in folder.Events)
            writer.Add(one);
    }

    private static string[] Findings(RunFolder folder)
    {
        using var report = JsonDocument.Parse(ReportFolder.Make(folder).Json);
        return [.. report.RootElement.GetProperty("findings").EnumerateArray().Select(one => one.GetString()!)];
    }

    private static string[] Verdicts(RunFolder folder)
    {
        using var report = JsonDocument.Parse(ReportFolder.Make(folder).Json);
        return [.. report.RootElement.GetProperty("hypotheses").EnumerateArray().Select(one => one.GetProperty("verdict").GetString()!)];
    }

    private static string Tables(RunFolder folder)
    {
        using var report = JsonDocument.Parse(ReportFolder.Make(folder).Json);
        return report.RootElement.GetProperty("latency").GetRawText() + report.RootElement.GetProperty("loss").GetRawText();
    }

    private static string Value(string table, string users, string arm, string metric) =>
        Rows.Single(row => row.Take(4).SequenceEqual([table, users, arm, metric]))[4];
}
