using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class BandwidthToxicTests
{
    [Fact]
    public void Bytes_flow_at_the_rate_and_the_last_one_ends_on_time()
    {
        var pieces = new BandwidthToxic(1000).Effect().Take(1000);

        Assert.Equal(1000, pieces.Sum(piece => piece.Length));
        Assert.All(pieces, piece => Assert.Equal(50, piece.Length));
        Assert.Equal(Passed.Seconds(0.05), pieces[0].Due);
        Assert.Equal(Passed.Seconds(1), pieces[^1].Due);
    }

    [Fact]
    public void Bytes_that_come_while_the_link_is_busy_wait_and_later_bytes_find_it_idle()
    {
        var effect = new BandwidthToxic(1000).Effect();

        Assert.Equal(Passed.Seconds(1), effect.Take(1000)[^1].Due);
        Assert.Equal(Passed.Seconds(1.5), effect.Take(500, due: 0.2)[^1].Due);
        Assert.Equal(Passed.Seconds(9.5), effect.Take(500, due: 9)[^1].Due);
    }

    [Fact]
    public void The_rate_holds_for_many_small_messages()
    {
        var effect = new BandwidthToxic(7_000_000).Effect();

        var due = Enumerable.Range(0, 100_000).Select(_ => effect.Take(7)[^1].Due).ToArray();

        Assert.Equal(Passed.Seconds(0.1), due[^1]);
    }
}
