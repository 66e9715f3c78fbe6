using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class ProxyClockTests
{
    [Theory]
    [InlineData(5, 0)]
    [InlineData(10, 0)]
    [InlineData(10.5, 0.5)]
    [InlineData(10.0102, 0.011)]
    public void A_timer_runs_whole_milliseconds_and_never_too_few(double at, double wait)
    {
        var time = new FakeTime();
        var clock = new ProxyClock(time);
        time.Advance(Passed.Seconds(10));

        Assert.Equal(Passed.Seconds(10), clock.Now);
        Assert.Equal(Passed.Seconds(wait), clock.Until(Passed.Seconds(at)));
    }
}
