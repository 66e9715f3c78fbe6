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

    private static readonly Dictionary<string, JsonNode[]> Pairs = JsonNode.Parse(SourceTree.Read(
        Path.GetRelativePath(SourceTree.Root, Directory.GetFiles(Path.Combine(SourceTree.Root, "results", "misbehaving")).Single())))!
        ["misbehaving"]!.AsArray().ToDictionary(server => (string)server!["server"]!, server => server!["pairs"]!.AsArray().ToArray())!;

    [Fact]
    public void The_table_of_the_evidence_has_median_and_range_of_each_way_to_misbehave() => Assert.All(Ways, way => Assert.Contains(
        $"| {way.Words} | {Cell("direct", way.Id)} | {Cell("pubsub", way.Id)} |", SourceTree.Lines("docs/evidence.md")));

    [Theory]
    [InlineData("medians of up to", 1)]
    [InlineData("in single pairs up to", 2)]
    public void The_limits_name_the_worst_median_and_the_worst_pair_of_each_server(string words, int rank)
    {
        Assert.Contains($"{words} {Worst("direct")} and {Worst("pubsub")}", SourceTree.Words("docs/limits.md"), StringComparison.Ordinal);

        string Worst(string server)
        {
            var worst = Ways[1..].Select(way => (way.Id, Ratio: Ratios(server, way.Id)[rank])).MaxBy(way => way.Ratio);
            var way = worst.Id switch
            {
                "leaveTransactionsOpen" => "transactions",
                "subscribeOften" => "subscriptions",
                "neverAcknowledge" => "never acknowledge",
                _ => worst.Id,
            };
            return $"{Number(worst.Ratio)} ({server}, {way})";
        }
    }

    [Fact]
    public void Nothing_was_missing_and_memory_stayed_below_its_bound()
    {
        var legs = Pairs.Values.SelectMany(pairs => pairs).SelectMany(pair => new[] { pair["without"]!, pair["beside"]! }).ToArray();
        Assert.All(legs, leg => Assert.Equal(0, (long)leg["missing"]!));
        var copies = legs.Sum(leg => (long)leg["copies"]!).ToString("N0", CultureInfo.InvariantCulture);

        Assert.Contains($"nothing missing of {copies} copies;", SourceTree.Words("docs/limits.md"), StringComparison.Ordinal);
        Assert.Contains($"Of {copies} messages for well-behaved", SourceTree.Words("docs/evidence.md"), StringComparison.Ordinal);
        Assert.Contains($"; {Memory("direct")} and {Memory("pubsub")}.", SourceTree.Words("docs/limits.md"), StringComparison.Ordinal);
        Assert.Contains($"| {Memory("direct")} | {Memory("pubsub")} |", SourceTree.Words("docs/evidence.md"), StringComparison.Ordinal);
    }

    /// <summary>The ratios of p99 of three pairs, from the least.</summary>
    private static double[] Ratios(string server, string way) =>
    [
        .. Pairs[server].Where(pair => (string)pair["what"]! == way)
            .Select(pair => (double)pair["beside"]!["p99Milliseconds"]! / (double)pair["without"]!["p99Milliseconds"]!).Order(),
    ];

    private static string Cell(string server, string way)
    {
        var ratios = Ratios(server, way);
        Assert.Equal(3, ratios.Length);
        return $"{Number(ratios[1])} ({Number(ratios[0])} to {Number(ratios[2])})";
    }

    private static string Memory(string server)
    {
        var (most, bound) = (Pairs[server].Max(pair => (long)pair["peakResidentBytes"]!), (long)Pairs[server][0]["memoryBoundBytes"]!);
        Assert.True(most < bound);
        return string.Create(CultureInfo.InvariantCulture, $"{most >> 20:N0} of {bound >> 20:N0} MiB");
    }

    private static string Number(double ratio) => ratio.ToString("0.00", CultureInfo.InvariantCulture);
}
