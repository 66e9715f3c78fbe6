using PubSubOverWs.LoadTest.Bench;

namespace PubSubOverWs.Tests.LoadTest.Bench;

public class ReadersFiguresTests
{
    [Fact]
    public void Each_ratio_is_of_one_pair()
    {
        var figures = Figures(Pair(without: 2, reading: 4, deaf: 3, again: 1), Pair(without: 1, reading: 1, deaf: 2, again: 3));

        Assert.Equal([1.5, 2], figures.Ratios);
        Assert.Equal([0.75, 2], figures.ReadingRatios);
        Assert.Equal([0.5, 3], figures.SelfRatios);
    }

    [Fact]
    public void It_says_that_the_bar_is_held_and_what_the_server_took_and_did() => Assert.Equal(
        [
            "  direct: p99 beside those who never read / without them: median 1.50 of 1 pair (1.50 to 1.50); at most 1.50: held",
            "  direct: the same / beside the same connections that read: median 1.20 of 1 pair (1.20 to 1.20)",
            "  direct: without them / without them: median 0.50 of 1 pair (0.50 to 0.50)",
            "  direct: heap at most 300 MiB of 1,024 MiB that it may have; resident at most 400 MiB",
            "  direct, told to disconnect them: of 1,000 it ended 1,000, of whom 999 found an ERROR behind what they were still given",
        ],
        ReadersText.Verdicts(Figures(Pair(without: 2, reading: 2.5, deaf: 3, again: 1))));

    [Fact]
    public void It_says_that_the_bar_is_not_held() => Assert.EndsWith(
        "at most 1.50: NOT held", ReadersText.Verdicts(Figures(Pair(without: 1, reading: 1, deaf: 1.6, again: 1))).First(),
        StringComparison.Ordinal);

    [Theory]
    [InlineData(100, 99)]
    [InlineData(101, 100)]
    [InlineData(102, 10_000)]
    public void What_did_not_come_is_slower_than_all_that_came(int messages, double p99) =>
        Assert.Equal(p99, ReadersLeg.Percentile([.. Enumerable.Range(1, 100).Select(i => (double)i)], messages, 0.99));

    [Fact]
    public void A_leg_is_one_line() => Assert.Equal(
        "  direct   never read          10         1     0.50     3.00       400       300         1/0/2      12.5              10",
        ReadersText.Line("direct", Leg(ReadersSide.Deaf, 3)));

    private static ReadersFigures Figures(params ReadersPair[] pairs) =>
        new("direct", pairs, 1L << 30, 400 << 20, new ReadersEnd(1_000, 1_000, 999, Leg(ReadersSide.Without, 1)));

    private static ReadersPair Pair(double without, double reading, double deaf, double again) => new(
        Leg(ReadersSide.Without, without), Leg(ReadersSide.Reading, reading), Leg(ReadersSide.Deaf, deaf), Leg(ReadersSide.Without, again));

    private static ReadersLeg Leg(ReadersSide side, double p99) => new(side, 10, 1, 0.5, p99, 400 << 20, 300 << 20, [1, 0, 2], 12.5, 10);
}
