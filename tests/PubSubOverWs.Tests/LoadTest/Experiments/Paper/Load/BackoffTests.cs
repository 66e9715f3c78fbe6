using PubSubOverWs.LoadTest.Experiments.Paper.Load;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

public sealed class BackoffTests
{
    private static readonly PairsPlan Plan = new() { Seed = 2015 };

    [Fact]
    public void Each_failed_try_about_doubles_the_wait_up_to_a_second()
    {
        var backoff = Plan.BackoffOf(iteration: 1, user: 0, isSubscriber: true);

        double[] waits = [backoff.AfterLoss().TotalSeconds, .. Enumerable.Range(0, 5).Select(_ => backoff.AfterFailure().TotalSeconds)];

        Assert.All(waits.Zip([0.1, 0.2, 0.4, 0.8, 1, 1]), one => Assert.InRange(one.First, one.Second / 2, one.Second));
    }

    [Fact]
    public void The_next_loss_begins_with_the_shortest_wait_again()
    {
        var backoff = Plan.BackoffOf(iteration: 1, user: 0, isSubscriber: false);
        backoff.AfterLoss();
        backoff.AfterFailure();
        backoff.AfterFailure();

        Assert.InRange(backoff.AfterLoss(), TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(100));
    }

    [Fact]
    public void A_client_that_is_told_to_stay_away_does_so_and_backs_off_only_then()
    {
        var away = TimeSpan.FromMilliseconds(200);
        var backoff = (Plan with { Away = away }).BackoffOf(iteration: 1, user: 0, isSubscriber: true);

        Assert.Equal(away, backoff.AfterLoss());
        Assert.InRange(backoff.AfterFailure(), TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(100));
        Assert.Equal(away, backoff.AfterLoss());
    }

    [Fact]
    public void Publishers_are_not_told_to_stay_away() =>
        Assert.InRange(
            (Plan with { Away = TimeSpan.FromMinutes(1) }).BackoffOf(1, 0, isSubscriber: false).AfterLoss(), TimeSpan.FromMilliseconds(50),
            TimeSpan.FromMilliseconds(100));

    [Fact]
    public void A_client_waits_as_long_in_every_arm_and_otherwise_than_another_client_or_iteration()
    {
        var wait = Plan.BackoffOf(3, 7, isSubscriber: true).AfterLoss();

        Assert.Equal(wait, Plan.BackoffOf(3, 7, isSubscriber: true).AfterLoss());
        Assert.NotEqual(wait, Plan.BackoffOf(3, 7, isSubscriber: false).AfterLoss());
        Assert.NotEqual(wait, Plan.BackoffOf(3, 8, isSubscriber: true).AfterLoss());
        Assert.NotEqual(wait, Plan.BackoffOf(4, 7, isSubscriber: true).AfterLoss());
        Assert.NotEqual(wait, (Plan with { Seed = 1 }).BackoffOf(3, 7, isSubscriber: true).AfterLoss());
    }

    [Fact]
    public void The_same_users_are_slow_in_every_arm()
    {
        var plan = Plan with { SlowShare = 0.1 };

        Assert.Equal(10, plan.SlowAmong(100).Count);
        Assert.Equal(plan.SlowAmong(100).Order(), plan.SlowAmong(100).Order());
        Assert.Empty(Plan.SlowAmong(100));
    }
}
