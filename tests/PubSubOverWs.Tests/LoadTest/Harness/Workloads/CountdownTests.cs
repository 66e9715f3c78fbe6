using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workloads;

public sealed class CountdownTests
{
    [Fact]
    public void The_end_is_reached_with_the_last_signal()
    {
        var countdown = new Countdown(2);

        countdown.Signal();
        Assert.False(countdown.Reached.IsCompleted);
        countdown.Signal();
        Assert.True(countdown.Reached.IsCompleted);
    }

    [Fact]
    public void A_countdown_from_zero_is_reached_at_once() => Assert.True(new Countdown(0).Reached.IsCompleted);
}
