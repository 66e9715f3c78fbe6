using System.Globalization;
using System.Text.Json.Nodes;

namespace PubSubOverWs.Tests.Repository;

/// <summary>The statements of the documents about <c>bench misbehaving</c>, computed from its committed figures.</summary>
public sealed class BenchDocumentTests
{
    // In the order of the bench, as the table of docs/evidence.md calls them.
    private static readonly (string Id, string Words)[] Ways =
    [
        ("none", "no other clients (both legs alike)"), ("neverAcknowledge", "clients that never acknowledge"),
        ("giveBack", "clients that give back every message"), ("readSlowly", "clients that read one byte a second"),
        ("subscribeOften", "clients that subscribe 1,000 times each"), ("leaveTransactionsOpen", "clients that commit no transaction"),
        ("all", "all of these at once"),
    ];

    // A file for each front end. MisbehavingFiguresTests has those hold that are in the first folder; in the other, one ratio does not.
    private static readonly Dictionary<(string FrontEnd, string Server), JsonNode[]> Pairs = new[] { "misbehaving", "misbehaving-lean" }
        .SelectMany(folder => Directory.GetFiles(Path.Combine(SourceTree.Root, "results", folder)))
        .Select(file => JsonNode.Parse(SourceTree.Read(Path.GetRelativePath(SourceTree.Root, file)))!)
        .SelectMany(figures => figures["misbehaving"]!.AsArray().Select(server => (
            Key: ((string?)figures["plan"]!["frontEnd"] ?? "framework", (string)server!["server"]!),
            Pairs: server!["pairs"]!.AsArray().Select(pair => pair!).ToArray())))
        .ToDictionary(server => server.Key, server => server.Pairs);

    [Fact]
    public void The_table_of_the_evidence_has_median_and_range_of_each_way_to_misbehave() => Assert.All(Ways, way => Assert.Contains(
        $"| {way.Words} | {Cells("framework", way.Id)} | {Cells("lean", way.Id)} |", SourceTree.Lines("docs/evidence.md")));

    [Theory]
    [InlineData("framework")]
    [InlineData("lean")]
    public void Nothing_was_missing_and_memory_stayed_below_its_bound(string frontEnd)
    {
        var legs = Pairs.Where(pairs => pairs.Key.FrontEnd == frontEnd).SelectMany(pairs => pairs.Value)
            .SelectMany(pair => new[] { pair["without"]!, pair["beside"]! }).ToArray();
        Assert.All(legs, leg => Assert.Equal(0, (long)leg["missing"]!));
        var copies = legs.Sum(leg => (long)leg["copies"]!).ToString("N0", CultureInfo.InvariantCulture);
        var (direct, pubsub) = (Memory(frontEnd, "direct"), Memory(frontEnd, "pubsub"));

        Assert.Contains($"Of {copies} messages for well-behaved", SourceTree.Words("docs/evidence.md"), StringComparison.Ordinal);
        Assert.Contains($"| {direct} | {pubsub} |", SourceTree.Words("docs/evidence.md"), StringComparison.Ordinal);
    }

    /// <summary>The ratios of p99 of three pairs, from the least.</summary>
    private static double[] Ratios(string frontEnd, string server, string way) =>
    [
        .. Pairs[(frontEnd, server)].Where(pair => (string)pair["what"]! == way)
            .Select(pair => (double)pair["beside"]!["p99Milliseconds"]! / (double)pair["without"]!["p99Milliseconds"]!).Order(),
    ];

    private static string Cells(string frontEnd, string way) => $"{Cell(frontEnd, "direct", way)} | {Cell(frontEnd, "pubsub", way)}";

    private static string Cell(string frontEnd, string server, string way)
    {
        var ratios = Ratios(frontEnd, server, way);
        Assert.Equal(3, ratios.Length);
        return $"{Number(ratios[1])} ({Number(ratios[0])} to {Number(ratios[2])})";
    }

    private static string Memory(string frontEnd, string server)
    {
        var pairs = Pairs[(frontEnd, server)];
        var (most, bound) = (pairs.Max(pair => (long)pair["peakResidentBytes"]!), (long)pairs[0]["memoryBoundBytes"]!);
        Assert.True(most < bound);
        return string.Create(CultureInfo.InvariantCulture, $"{most >> 20:N0} of {bound >> 20:N0} MiB");
    }

    private static string Number(double ratio) => ratio.ToString("0.00", CultureInfo.InvariantCulture);
}
