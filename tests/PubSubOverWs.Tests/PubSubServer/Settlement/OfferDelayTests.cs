using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class OfferDelayTests
{
    [Fact]
    public void A_nack_waits_100_ms_and_doubles_to_5_s() =>
        Assert.Equal(
            [100, 200, 400, 800, 1600, 3200, 5000, 5000],
            Enumerable.Range(1, 8).Select(deliveries => OfferDelay.AfterGiveBack(deliveries).TotalMilliseconds));

    [Theory]
    [InlineData(0, 20)]
    [InlineData(0.5, 15)]
    [InlineData(1, 10)]
    public void A_detour_takes_10_to_20_whole_seconds(double chance, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), OfferDelay.ForDetour(chance));
}
