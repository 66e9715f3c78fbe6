using PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;

namespace PubSubOverWs.Tests.LoadTest.Experiments.IdleConnections.Load;

public sealed class ReachTests
{
    [Theory]
    [InlineData(1, 2)]
    [InlineData(50, 100)]
    [InlineData(99, 198)]
    [InlineData(100, 200)]
    public void A_share_is_reached_with_the_copy_that_makes_it_so(int percent, int milliseconds) =>
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), Of(200, Enumerable.Range(1, 200)).Until(percent));

    [Theory]
    [InlineData(3, 50, 2)]
    [InlineData(3, 99, 3)]
    [InlineData(1, 50, 1)]
    [InlineData(100_000, 99, 99_000)]
    [InlineData(300_000, 100, 300_000)]
    public void Of_a_number_that_does_not_divide_the_next_subscriber_counts(int subscribers, int percent, int milliseconds) => Assert.Equal(
        TimeSpan.FromMilliseconds(milliseconds), Of(subscribers, Enumerable.Range(1, subscribers).Reverse()).Until(percent));

    [Fact]
    public void A_share_that_is_never_reached_has_no_time_however_many_messages_have_one()
    {
        var (all, most) = (Of(4, [1, 2, 3, 4]), Of(4, [10, 20, 30]));

        Assert.Null(most.Until(100));
        Assert.Equal(3, most.Reached);
        Assert.Equal((11.0, null), (Reach.Mean([all, most], 50), Reach.Mean([all, most], 100)));
        Assert.Equal(4.0, Reach.Mean([all], 100));
    }

    private static Reach Of(int subscribers, IEnumerable<int> milliseconds) =>
        new(milliseconds.Select(one => TimeSpan.FromMilliseconds(one)), subscribers);
}
