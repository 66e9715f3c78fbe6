using System.Globalization;
using System.Text.Json.Nodes;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Results;
using PubSubOverWs.Report.Statistics;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Repository;

/// <summary>The tables of the runs under <c>results/faults/</c>: all of them on the page of results, some in the README.</summary>
public sealed class FaultTableTests
{
    private const string Head =
        "| what breaks | direct lost | direct+buffer lost | pubsub lost | acknowledged, and lost by pubsub | prediction | p | "
            + "p, Hochberg | pubsub loses less (H1b) |";

    private const string ReadmeHead = "| what breaks | direct lost | direct+buffer lost | pubsub lost | pubsub loses less (H1b) |";

    [Fact]
    public void The_page_of_results_has_the_figures_of_the_report_of_each_committed_run_under_a_fault() =>
        Assert.Equal(Rows().Order(StringComparer.Ordinal), Shown("docs/results.md", Head).Order(StringComparer.Ordinal));

    [Fact]
    public void Rows_of_the_readme_are_rows_of_that_page_without_its_tests()
    {
        var rows = Shown("README.md", ReadmeHead).ToArray();
        var page = Rows().Select(row => row.Replace("(../", "(", StringComparison.Ordinal).Split(" | "))
            .Select(cells => string.Join(" | ", [.. cells[..4], cells[8]]));

        Assert.Equal(6, rows.Length);
        Assert.Empty(rows.Except(page));
    }

    [Fact]
    public void Every_committed_run_under_a_fault_is_large_enough_to_be_spoken_of() => Assert.All(Folders(), folder =>
    {
        var scenario = RecordReader.Read(Path.Combine(SourceTree.Root, folder)).Run.Scenario.OneWay();
        Assert.Contains(scenario.Fault.Profile, FaultProfiles.All.Select(fault => fault.Profile));
        Assert.True(scenario is { Iterations: >= 10, Blocks: >= 5, Messages: >= 20, Receipts: true });
        Assert.Equal(1_000, Assert.Single(scenario.Users));
    });

    [Fact]
    public void Every_fault_profile_has_a_committed_run() => Assert.Equal(
        FaultProfiles.All.Select(fault => fault.Profile).Order(StringComparer.Ordinal),
        Folders().Select(folder => RecordReader.Read(Path.Combine(SourceTree.Root, folder)).Run.Scenario.OneWay().Fault.Profile).Distinct()
            .Order(StringComparer.Ordinal));

    private static IEnumerable<string> Shown(string page, string head)
    {
        var lines = SourceTree.Lines(page);
        var start = Array.IndexOf(lines, head);
        Assert.True(start >= 0, $"{page} has no table with the head\n{head}");
        return lines[(start + 2)..].TakeWhile(line => line.StartsWith('|'));
    }

    private static IEnumerable<string> Folders() =>
        Directory.EnumerateDirectories(Path.Combine(SourceTree.Root, "results", "faults"))
            .Select(path => $"results/faults/{Path.GetFileName(path)}");

    // The word is that of the family of all these runs, as `results` tells it; a report knows its own run only.
    private static IEnumerable<string> Rows()
    {
        var runs = Folders().Select(folder => (Folder: folder, Fault: JsonNode.Parse(JsonOf(folder))!["fault"]!)).ToArray();
        var words = runs.Select(run => Assert.Single(run.Fault["levels"]!.AsArray())!["pubSubLosesLess"]!)
            .Select(one =>
                new LessLoss(
                    Enum.Parse<LessLossWord>(((string)one["word"]!).Replace("-", "", StringComparison.Ordinal), ignoreCase: true),
                    "")
                { P = (double?)one["p"] }).ToArray();
        return runs.Zip(words, TestFamily.Adjust([.. words.Select(word => word.ForList())]))
            .Select(row => Row(row.First.Folder, row.First.Fault, row.Second, row.Third));
    }

    private static string JsonOf(string folder) => ReportFolder.Make(Path.Combine(SourceTree.Root, folder)).Json;

    private static string Row(string folder, JsonNode fault, LessLoss own, (double P, string Word)? corrected)
    {
        var level = Assert.Single(fault["levels"]!.AsArray())!;
        var arms = level["arms"]!.AsArray().ToDictionary(arm => (string)arm!["arm"]!, arm => arm!);
        var pubsub = arms[Relays.PubSub];
        return $"| [{fault["profile"]}](../{folder}/report.md) | {Lost(Relays.Direct)} | {Lost(Relays.Buffered)} | {Lost(Relays.PubSub)} "
            + $"| {pubsub["lostAcknowledged"]} of {pubsub["acknowledged"]} | {Words(level["outcome"]!)} "
            + $"| {PText.Of(own.P)} | {PText.Of(corrected?.P)} | {corrected?.Word ?? Kebab.Of(own.Word).Replace('-', ' ')} |";

        string Lost(string arm) => arms.TryGetValue(arm, out var one)
            ? string.Create(CultureInfo.InvariantCulture, $"{(double)one["endToEndLoss"]! * 100:0.00} %")
            : "–";
    }

    private static string Words(JsonNode outcome) => ((string)outcome["word"]!).Replace('-', ' ');
}
