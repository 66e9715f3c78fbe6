using System.Reflection;
using System.Text.RegularExpressions;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Repository;

/// <summary>The folders of a project use each other one way: without an order a reader of one has to know all.</summary>
public sealed partial class FolderTests
{
    // Each may use those before it; "" is the project's own folder. The folder Analysis of an experiment is in "Analyses".
    private static readonly Dictionary<string, (Assembly Assembly, string[] Folders)> Orders = new()
    {
        ["Experiment"] = (typeof(RunRecord).Assembly,
        [
            "", "Formats", "Statistics", "Latency", "Documents", "Design",
            "Experiments/Faults", "Experiments/Relay", "Experiments/OneWay",
            "Experiments/Nodes",
            "Experiments/FanOut",
            "Experiments/IdleConnections",
            "Experiments/StalledReaders",
            "Experiments/RequestReply",
            "Experiments/Transports",
            "Experiments/Interference",
            "Scenarios", "Accounting", "Records/Version1", "Records", "Costs", "Metrics", "Claims", "Claims/Standard", "Compare", "Gates",
            "Reports/Rows", "Reports/Sections", "Reports/Figures", "Reports",
            "Experiments/Published", "Experiments/Predictions", "Experiments/Replication",
            "Experiments/TransportFindings",
            "Analyses", "Results",
        ]),
        ["LoadTest"] = (typeof(CommandLine).Assembly,
        [
            "", "Processes", "Machine", "Clients", "Browser", "Network/Toxics", "Network/Proxy", "Network/Control", "Network",
            "Targets/Drain", "Targets/Sqs", "Targets", "Targets/Relay", "Targets/Elsewhere", "Targets/StreamServer", "Targets/NullEcho",
            "Targets/Feed",
            "Workloads", "Workloads/Workers", "Workloads/OneWay",
            "Workloads/Nodes",
            "Workloads/FanOut",
            "Workloads/IdleConnections",
            "Workloads/StalledReaders",
            "Workloads/RequestReply",
            "Workloads/Transports",
            "Workloads/Interference",
            "Faults", "Live", "Runs", "Commands", "Bench", "Bench/Peers",
        ]),
        ["Sqs"] = (typeof(ISqs).Assembly, ["", "Batching", "Calls", "Http", "Sns", "AwsSdk"]),
        ["LocalSqs"] = (typeof(LocalSqsServer).Assembly, ["", "Queues", "Topics", "Protocol", "Protocol/Sns", "Hosting"]),
        ["Relay"] = (typeof(RelayOptions).Assembly,
            ["", "Access", "Stats", "Brokers", "Limits", "Sockets", "Transport", "Delivering", "Sessions", "Page", "Hosting"]),
        ["PubSubServer"] = (typeof(SqsBroker).Assembly,
            ["", "Envelopes", "Queues", "Publishing", "Settlement", "Serving", "Nodes", "Hosting"]),
    };

    public static TheoryData<string> Projects => [.. Orders.Keys];

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_folder_uses_only_those_before_it(string project)
    {
        var (assembly, order) = Orders[project];
        var against = FolderUses.Of(assembly)
            .Where(use => Array.IndexOf(order, use.Key.To) >= Array.IndexOf(order, use.Key.From))
            .Select(use => $"{use.Key.From} -> {use.Key.To}: {use.Value}").ToList();

        Assert.True(against.Count == 0, string.Join('\n', against));
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void Every_folder_has_its_place(string project)
    {
        var (assembly, order) = Orders[project];

        Assert.Equal(FolderUses.Folders(assembly).Append("").Distinct().Order(StringComparer.Ordinal), order.Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("src/PubSubOverWs.Experiment")]
    [InlineData("loadtest/PubSubOverWs.LoadTest")]
    public void A_namespace_is_that_of_the_folder_except_in_the_folder_Analysis_of_an_experiment(string project) => Assert.All(
        SourceTree.Files(project, ".cs").Select(path => (Path: path, Declared: Namespace().Match(SourceTree.Read(path))))
            .Where(file => file.Declared.Success),
        file => Assert.Equal(
            AnalysisFolder().Replace(Path.GetDirectoryName(file.Path)!.Replace('\\', '/'), "/Analyses").Split('/', 2)[1].Replace('/', '.'),
            file.Declared.Groups["name"].Value));

    [GeneratedRegex("^namespace (?<name>[^;]+);", RegexOptions.Multiline)]
    private static partial Regex Namespace();

    [GeneratedRegex("/Experiments/[^/]+/Analysis$")]
    private static partial Regex AnalysisFolder();
}
