using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.Tests.LoadTest.Network.Toxics;

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
}
