using PubSubOverWs.LoadTest.Experiments.RequestReply;

namespace PubSubOverWs.Tests.LoadTest.Experiments.RequestReply;

public sealed class PublishedRequestReplyTests
{
    [Fact]
    public void Rates_per_user_and_per_busy_core_follow_from_the_published_figures()
    {
        var published = PublishedRequestReply.Load();

        Assert.Equal(0.24, published.RequestsPerUser, 1e-9);
        // 240,000 / (16 x 0.70)
        Assert.Equal(21_428.57, published.LeastPerCoreSecond, 0.01);
        Assert.Equal((11.82, 130.0), (published.LatencyMs.Mean, published.LatencyMs.P99));
    }
}
