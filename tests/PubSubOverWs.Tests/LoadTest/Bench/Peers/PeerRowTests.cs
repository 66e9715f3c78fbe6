using PubSubOverWs.LoadTest.Bench.Peers;

namespace PubSubOverWs.Tests.LoadTest.Bench.Peers;

public sealed class PeerRowTests
{
    [Fact]
    public void A_ratio_is_that_of_the_means_with_the_interval_of_pairs()
    {
        // The roots of Fieller's quadratic, computed elsewhere, with t = 4.302652729911275 for two degrees of freedom.
        var estimate = PeerEstimate.OfRatio([(9, 10), (10, 10), (12, 11)])!;

        Assert.Equal(1, estimate.Value, 1e-12);
        Assert.Equal(0.7260047023069651, estimate.Interval!.Value.Low, 1e-9);
        Assert.Equal(1.2150677464737807, estimate.Interval.Value.High, 1e-9);
    }

    [Fact]
    public void One_pair_has_a_ratio_and_no_interval()
    {
        var estimate = PeerEstimate.OfRatio([(9, 10)])!;

        Assert.Equal((0.9, null), (estimate.Value, estimate.Interval));
    }

    [Fact]
    public void Only_pairs_that_have_both_are_compared()
    {
        var figures = new RowFigures("cpu", [new("lean", 1, 4), new("nats-server", 1, 5), new("nats-server", 2, 6), new("lean", 3, 7)]);

        Assert.Equal([(4, 5)], figures.Pairs("lean", "nats-server"));
    }

    [Theory]
    [InlineData(0.90, 0.94, true)]
    [InlineData(0.96, 0.99, false)]
    [InlineData(0.94, 0.96, null)]
    public void A_goal_is_met_or_missed_where_the_whole_interval_is(double low, double high, bool? verdict) => Assert.Equal(
        verdict, PeerRow.Cpu.Goals[0].Judge(new PeerEstimate((low + high) / 2, new(low, high))));

    [Theory]
    [InlineData(13_000, true)]
    [InlineData(11_000, false)]
    public void Without_an_interval_the_figure_itself_is_judged(double value, bool verdict) =>
        Assert.Equal(verdict, PeerRow.Connects.Goals[1].Judge(new PeerEstimate(value, null)));

    [Fact]
    public void Goals_say_what_is_compared_with_what() => Assert.Equal(
        [
            "framework / kestrel-echo at most 0.95", "lean / nats-server at most 1", "framework - kestrel-echo at most 1",
            "lean at most 7.5", "framework / kestrel-echo at least 0.9", "lean at least 12,000",
        ],
        new[] { PeerRow.Cpu, PeerRow.IdleMemory, PeerRow.Connects }.SelectMany(row => row.Goals).Select(goal => goal.Text));

    [Fact]
    public void A_difference_to_a_peer_is_over_pairs()
    {
        var figures = new RowFigures(
            "idle-memory", [new("framework", 1, 17), new("kestrel-echo", 1, 15), new("framework", 2, 16), new("kestrel-echo", 2, 16)]);

        Assert.Equal(1, PeerRow.IdleMemory.Goals[0].Estimate(figures)!.Value, 1e-12);
        Assert.Null(PeerRow.IdleMemory.Goals[1].Estimate(figures));
    }
}
