using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class AnswerDelayTests
{
    private const int Draws = 100_000;

    [Fact]
    public void Half_of_the_delays_are_below_the_median_and_one_in_a_hundred_above_the_99th_percentile()
    {
        var delays = Drawn(seed: 7);
        Assert.InRange(delays[Draws / 2].TotalMilliseconds, 16 * 0.98, 16 * 1.02);
        Assert.InRange(delays[Draws * 99 / 100].TotalMilliseconds, 105 * 0.95, 105 * 1.05);
    }

    [Fact]
    public void The_same_seed_draws_the_same()
    {
        Assert.Equal(Drawn(seed: 7), Drawn(seed: 7));
        Assert.NotEqual(Drawn(seed: 7), Drawn(seed: 8));
    }

    [Fact]
    public void With_one_percentile_every_answer_takes_the_same_time()
    {
        var delay = Delay(1, p50: 20, p99: 0);
        Assert.All(Enumerable.Range(0, 100).Select(_ => delay.Draw().TotalMilliseconds), drawn => Assert.Equal(20, drawn, 0.001));
    }

    [Fact]
    public void Without_a_median_there_is_no_delay() => Assert.False(Delay(1, p50: 0, p99: 105).IsOn);

    private static TimeSpan[] Drawn(int seed)
    {
        var delay = Delay(seed, p50: 16, p99: 105);
        return [.. Enumerable.Range(0, Draws).Select(_ => delay.Draw()).Order()];
    }

    private static AnswerDelay Delay(int seed, int p50, int p99) => new(
        new LocalSqsOptions { Seed = seed, DelayP50 = TimeSpan.FromMilliseconds(p50), DelayP99 = TimeSpan.FromMilliseconds(p99) },
        new FakeTime());
}
