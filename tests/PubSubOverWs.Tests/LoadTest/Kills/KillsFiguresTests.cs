using System.Text.Json;
using PubSubOverWs.LoadTest.Kills;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Kills;

public sealed class KillsFiguresTests
{
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web);

    // Ten kills: they explain at most 10,000 that were received and 2,000 that were not answered.
    private static readonly KillsFigures Few = Read("2026-11-23T15-20-29Z.json") with
    { Kills = 10, Killed = 10, MostReceived = 1_000, MostUnanswered = 200, PublishedAgain = 2_000 };

    public static TheoryData<string> Committed =>
        [.. Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "results", "kills"), "*.json").Select(path => Path.GetFileName(path))
            .Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Committed))]
    public void The_committed_figures_are_a_proof(string file) => Assert.True(Read(file).IsProof);

    [Theory]
    [InlineData(10_000, 2_000, true)]
    [InlineData(10_001, 0, false)]
    [InlineData(10_000, 2_001, false)]
    [InlineData(0, 12_000, true)]
    [InlineData(0, 12_001, false)]
    public void More_duplicates_than_the_kills_explain_are_no_proof(long redelivered, long publishedAgain, bool isProof)
    {
        var figures = Few with
        {
            DuplicatesRedelivered = redelivered,
            DuplicatesPublishedAgain = publishedAgain,
            Arrivals = Few.Delivered + redelivered + publishedAgain
        };

        Assert.Equal((isProof, 12_000), (figures.IsProof, figures.MostDuplicates));
    }

    [Fact]
    public void A_publisher_that_publishes_again_without_a_kill_is_no_proof() =>
        Assert.False((Few with { PublishedAgain = 2_001 }).IsProof);

    [Fact]
    public void An_arrival_that_nobody_counted_is_no_proof() => Assert.False((Few with { Arrivals = Few.Arrivals + 1 }).IsProof);

    private static KillsFigures Read(string file) =>
        JsonSerializer.Deserialize<KillsFigures>(SourceTree.Read($"results/kills/{file}"), Json)!;
}
