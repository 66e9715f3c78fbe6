using System.Text;
using PubSubOverWs.LoadTest.Experiments.Peers.Load;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Peers.Load;

public sealed class FanOutRowTests
{
    [Theory]
    [InlineData(100, 1)]
    [InlineData(1_000, 10)]
    [InlineData(99, 0)]
    public void The_99th_percentile_is_in_time_while_at_most_one_in_a_hundred_is_late(long deliveries, long late) =>
        Assert.Equal(late, FanOutClients.MaxLate(deliveries));

    [Fact]
    public void A_body_begins_with_the_place_of_its_number() =>
        Assert.Equal("0000000000xx", Encoding.ASCII.GetString(FanOutClients.NumberedBody(12)));

    [Theory]
    [InlineData(50_000, 137_000)]
    [InlineData(50_000, 4_000)]
    [InlineData(50_000, 50_000)]
    public void The_search_ends_less_than_a_twentieth_below_the_highest_rate_that_is_held(double first, double most)
    {
        var search = new RateSearch(first);
        for (var tries = 0; search.Next is { } rate; tries++)
        {
            Assert.InRange(tries, 0, 20);
            search.Tell(rate, rate <= most);
        }

        Assert.InRange(search.Best!.Value, most / 1.05, most);
    }

    [Fact]
    public void A_server_that_holds_no_rate_has_no_best()
    {
        var search = new RateSearch(50_000);
        while (search.Next is { } rate)
            search.Tell(rate, holds: false);

        Assert.Null(search.Best);
    }
}
