using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.LoadTest.Experiments.Paper.Replication;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

/// <summary>The two questions of docs/reference/method.md, cell by cell.</summary>
public sealed class PublishedClaimTests
{
    private static readonly PublishedClaim Slower = Ratio(1.02);
    private static readonly PublishedClaim Faster = Ratio(0.98);

    // Direct lost 2 %, pubsub 1 %: half a point is alike.
    private static readonly PublishedClaim Less = PublishedClaim.Less(new(1000, new PublishedShare(98, 2), new PublishedShare(99, 1)));

    [Theory]
    // The interval of 90 % is asked first, whatever the sign and p.
    [InlineData("slower", 0.001, 1, 1.001, 1.005, Direction.Alike)]
    [InlineData("slower", 0.001, -1, 0.995, 0.999, Direction.Alike)]
    [InlineData("faster", 0.001, -1, 0.995, 0.999, Direction.Alike)]
    [InlineData("slower", 0.50, 1, 0.9901, 1.0099, Direction.Alike)]
    [InlineData("slower", 0.04, 1, 1.0001, 1.0100, Direction.AsClaimed)]
    [InlineData("slower", 0.01, 1, 1.012, 1.028, Direction.AsClaimed)]
    [InlineData("slower", 0.04999, 1, 1.002, 9, Direction.AsClaimed)]
    [InlineData("faster", 0.01, -1, 0.97, 0.985, Direction.AsClaimed)]
    [InlineData("slower", 0.01, -1, 0.97, 0.985, Direction.Opposite)]
    [InlineData("faster", 0.01, 1, 1.012, 1.028, Direction.Opposite)]
    [InlineData("slower", 0.05, 1, 1.001, 1.05, Direction.Open)]
    [InlineData("slower", 0.50, 1, 0.99, 1.011, Direction.Open)]
    public void A_ratio_has_the_direction_of_the_claim_the_other_none_or_an_open_one(
        string claim, double holmP, double t, double low90, double high90, Direction direction) =>
        Assert.Equal(direction, (claim == "slower" ? Slower : Faster).DirectionOf(new Evidence
        {
            Test = new TTest(t, 10, holmP),
            HolmP = holmP,
            Ratio90 = new Interval(low90, high90),
        }));

    [Theory]
    // Percentage points of loss, pubsub - direct.
    [InlineData(0.001, -1, -0.4, -0.1, Direction.Alike)]
    [InlineData(0.001, 1, 0.1, 0.4, Direction.Alike)]
    [InlineData(0.01, -1, -1.4, -0.6, Direction.AsClaimed)]
    [InlineData(0.01, 1, 0.6, 1.4, Direction.Opposite)]
    [InlineData(0.05, -1, -1.4, 0.1, Direction.Open)]
    [InlineData(0.50, 1, -0.5, 0.4, Direction.Open)]
    public void A_loss_has_one_in_the_same_way(double holmP, double t, double low90, double high90, Direction direction) =>
        Assert.Equal(direction, Less.DirectionOf(new Evidence
        {
            Test = new TTest(t, 10, holmP),
            HolmP = holmP,
            Difference90 = new Interval(low90, high90),
        }));

    [Theory]
    // R 1.02: half of its effect is 1.00995, twice 1.0404.
    [InlineData("slower", 1.011, 1.04, Size.AsPublished)]
    [InlineData("slower", 1.02, 1.02, Size.AsPublished)]
    [InlineData("slower", 1.0098, 1.03, Size.TooCoarse)]
    [InlineData("slower", 1.011, 1.041, Size.TooCoarse)]
    [InlineData("slower", 0.99, 9, Size.TooCoarse)]
    [InlineData("slower", 0, 9, Size.TooCoarse)]
    [InlineData("slower", 2.5, 2.7, Size.Other)]
    [InlineData("slower", 1.001, 1.0199, Size.Other)]
    [InlineData("faster", 0.965, 0.985, Size.AsPublished)]
    [InlineData("faster", 0.95, 0.985, Size.TooCoarse)]
    [InlineData("faster", 0.965, 0.9999, Size.TooCoarse)]
    [InlineData("faster", 0.985, 0.995, Size.Other)]
    // The old example: R 1.5, interval 1.01 to 2.3, against the published 1.015.
    [InlineData("published", 1.01, 2.3, Size.TooCoarse)]
    public void A_ratio_has_the_published_size_another_or_an_interval_that_is_too_wide(string claim, double low, double high, Size size) =>
        Assert.Equal(size, (claim switch { "slower" => Slower, "faster" => Faster, _ => Ratio(1.015) })
            .SizeOf(new Evidence { Ratio95 = new Interval(low, high) }));

    [Theory]
    [InlineData(-1.9, -0.6, Size.AsPublished)]
    [InlineData(-2.1, -0.6, Size.TooCoarse)]
    [InlineData(-1.9, -0.4, Size.TooCoarse)]
    [InlineData(-0.9, -0.1, Size.Other)]
    [InlineData(-9, -1.1, Size.Other)]
    public void A_loss_has_a_size_in_the_same_way(double low, double high, Size size) =>
        Assert.Equal(size, Less.SizeOf(new Evidence { Difference95 = new Interval(low, high) }));

    [Fact]
    public void Without_an_interval_no_size_is_confirmed_and_nothing_is_alike()
    {
        Assert.Equal(Size.TooCoarse, Slower.SizeOf(new Evidence()));
        Assert.Equal(Direction.AsClaimed, Slower.DirectionOf(new Evidence { Test = new TTest(1, 10, 0.01), HolmP = 0.01 }));
        Assert.Equal(Direction.Open, Slower.DirectionOf(new Evidence()));
    }

    [Fact]
    public void The_margin_of_latency_is_one_percent_and_of_loss_half_the_published_difference()
    {
        Assert.Equal(new Interval(Math.Log(0.99), Math.Log(1.01)), Slower.Margin);
        Assert.Equal((-1, new Interval(-0.5, 0.5)), (Less.Effect, Less.Margin));
    }

    [Fact]
    public void The_paper_claims_a_higher_latency_where_it_calls_it_significant() =>
        Assert.Equal(
            [(50, false), (100, false), (500, true), (1000, true), (5000, true), (10000, true)],
            PublishedPaper.Load().Latency.Select(row => (row.Users, PublishedClaim.Latency(row).IsClaimed)));

    private static PublishedClaim Ratio(double published) =>
        new(Math.Log(published), EffectScale.MarginOfRatio(PublishedClaim.LatencyMargin), true, EffectScale.Ratio);
}
