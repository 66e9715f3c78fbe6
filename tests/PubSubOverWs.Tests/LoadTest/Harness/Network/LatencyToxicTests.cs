using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class LatencyToxicTests
{
    [Fact]
    public void Every_chunk_comes_later_by_the_delay_however_fast_they_follow()
    {
        var effect = new LatencyToxic(Passed.Seconds(2)).Effect();

        Assert.Equal([new Piece(10, Passed.Seconds(2))], effect.Take(10));
        Assert.Equal([new Piece(20, Passed.Seconds(2.5))], effect.Take(20, due: 0.5));
    }

    [Fact]
    public void Jitter_is_spread_evenly_around_the_delay_and_never_changes_the_order()
    {
        var effect = new LatencyToxic(Passed.Seconds(2), Passed.Seconds(1)).Effect();

        var apart = Enumerable.Range(0, 10_000).Select(i => effect.Take(1, due: 10 * i).Single().Due - Passed.Seconds(10 * i)).ToArray();
        var together = Enumerable.Range(0, 1000).Select(_ => effect.Take(1, due: 200_000).Single().Due).ToArray();

        Assert.All(apart, delay => Assert.InRange(delay, Passed.Seconds(1), Passed.Seconds(3)));
        Assert.InRange(apart.Average(delay => delay.TotalSeconds), 1.98, 2.02);
        Assert.InRange(apart.Count(delay => delay < Passed.Seconds(1.5)), 2300, 2700);
        Assert.Equal(together.Order(), together);
    }

    [Fact]
    public void With_a_deviation_delays_are_lognormal_and_a_late_chunk_holds_up_those_behind_it()
    {
        var effect = new LatencyToxic(Passed.Seconds(0.1)) { Deviation = Passed.Seconds(0.1) }.Effect();

        var apart = Enumerable.Range(0, 10_000)
            .Select(i => (effect.Take(1, due: 100 * i).Single().Due - Passed.Seconds(100 * i)).TotalSeconds).ToArray();
        var together = Enumerable.Range(0, 1000).Select(_ => effect.Take(1, due: 2_000_000).Single().Due).ToArray();

        // A mean of 0.1 and as large a deviation: half of the draws are below 0.1/sqrt(2).
        Assert.InRange(apart.Average(), 0.096, 0.104);
        Assert.InRange(apart.Count(delay => delay < 0.1 / Math.Sqrt(2)), 4800, 5200);
        Assert.Equal(together.Order(), together);
    }

    [Fact]
    public void A_deviation_goes_with_no_jitter()
    {
        var toxic = new LatencyToxic(Passed.Seconds(1)) { Deviation = Passed.Seconds(10) };

        Assert.Null(toxic.FindFault());
        Assert.NotNull((toxic with { Deviation = Passed.Seconds(10.1) }).FindFault());
        Assert.NotNull((toxic with { Jitter = Passed.Seconds(1) }).FindFault());
    }
}
