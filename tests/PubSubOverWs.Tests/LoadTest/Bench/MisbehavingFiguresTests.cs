using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.LoadTest.Bench;
using PubSubOverWs.Tests.PubSubServer;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Bench;

public class MisbehavingFiguresTests
{
    private const long MiB = 1 << 20;

    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    { Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) } };

    public static TheoryData<string> Committed =>
        [.. Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "results", "misbehaving"), "*.json")
            .Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    [Fact]
    public void A_ratio_is_the_median_of_all_pairs_of_one_kind() => Assert.Equal(
        [(Misbehaviour.None, 3.0), (Misbehaviour.GiveBack, 1.5)],
        Figures(Pair(Misbehaviour.None, 3), Pair(Misbehaviour.GiveBack, 9), Pair(Misbehaviour.GiveBack, 1.5),
            Pair(Misbehaviour.GiveBack, 1)).Ratios);

    [Theory]
    [MemberData(nameof(Committed))]
    public void The_committed_figures_hold_for_both_servers(string file)
    {
        var report = JsonSerializer.Deserialize<BenchReport>(SourceTree.Read($"results/misbehaving/{file}"), Json)!;

        Assert.Equal(["direct", "pubsub"], report.Misbehaving!.Select(server => server.Server));
        Assert.True(report.Holds);
    }

    [Fact]
    public void Pairs_without_misbehaving_clients_are_not_judged() =>
        Assert.True(Figures(Pair(Misbehaviour.None, 9), Pair(Misbehaviour.All, 2)).Holds);

    [Fact]
    public void A_p99_of_more_than_twice_that_without_misbehaving_clients_is_too_much() =>
        Assert.False(Figures(Pair(Misbehaviour.All, 2.01)).Holds);

    [Fact]
    public void One_missing_copy_is_too_much_in_either_leg()
    {
        Assert.False(Figures(Pair(Misbehaviour.All, 1, missingWithout: 1)).Holds);
        Assert.False(Figures(Pair(Misbehaviour.All, 1, missingBeside: 1)).Holds);
    }

    [Fact]
    public void More_memory_than_the_server_said_is_too_much() => Assert.False(Figures(Pair(Misbehaviour.All, 1, peak: 501 * MiB)).Holds);

    [Fact]
    public void A_server_that_states_no_memory_bound_fails_the_criterion() =>
        Assert.False(Figures(Pair(Misbehaviour.All, 1) with { MemoryBoundBytes = 0 }).Holds);

    [Fact]
    public void Each_criterion_has_a_line() => Assert.Equal(
        [
            "  direct: p99 without them / without them: 1.10; not judged",
            "  direct: p99 beside clients that read one byte a second / without them: 2.50; at most 2.00: NOT held",
            "  direct: 1 copy for well-behaved clients did not come; at most 0: NOT held",
            "  direct: resident at most 400 MiB; within what it computed from its settings: held",
        ],
        MisbehavingText.Verdicts(Figures(Pair(Misbehaviour.None, 1.1), Pair(Misbehaviour.ReadSlowly, 2.5, missingBeside: 1))));

    [Fact]
    public void A_pair_is_one_line_below_the_heading()
    {
        var line = MisbehavingText.Line("pubsub", Pair(Misbehaviour.SubscribeOften, 1.5, missingBeside: 3));

        Assert.Equal(
            "  pubsub   subscribe 1,000 times        2,000         3         1.00        1.50   1.50         7       400       500", line);
        Assert.Equal(MisbehavingText.Heading.Length, line.Length);
    }

    private static MisbehavingFigures Figures(params MisbehavingPair[] pairs) => new("direct", pairs);

    private static MisbehavingPair Pair(
        Misbehaviour what, double ratio, int missingWithout = 0, int missingBeside = 0, long peak = 400 * MiB) => new(
        what, new WellBehavedLeg(1_000, missingWithout, 0.5, 1), new WellBehavedLeg(1_000, missingBeside, 0.5, ratio), Cut: 7, peak,
        500 * MiB);
}
