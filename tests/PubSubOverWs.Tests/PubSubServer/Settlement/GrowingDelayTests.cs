using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class GrowingDelayTests
{
    [Fact]
    public void A_nack_waits_100_ms_and_doubles_to_5_s() =>
        Assert.Equal(
            [100, 200, 400, 800, 1600, 3200, 5000, 5000],
            Enumerable.Range(1, 8).Select(deliveries => GrowingDelay.OfGiveBack(deliveries).TotalMilliseconds));

    [Fact]
    public void A_release_waits_1_s_and_doubles_to_60_s() =>
        Assert.Equal(
            [1, 2, 4, 8, 16, 32, 60, 60],
            Enumerable.Range(1, 8).Select(receives => GrowingDelay.OfRelease(receives, chance: 0).TotalSeconds));

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(4, 4)]
    [InlineData(1_000, 30)]
    public void Chance_takes_at_most_half_of_it_and_leaves_whole_seconds(int receives, int shortest) =>
        Assert.Equal(TimeSpan.FromSeconds(shortest), GrowingDelay.OfRelease(receives, chance: 1));
}
