using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class SlicerToxicTests
{
    [Fact]
    public void A_chunk_comes_in_slices_with_the_delay_between_them()
    {
        var effect = new SlicerToxic(4, Delay: Passed.Seconds(1)).Effect();

        Assert.Equal([new Piece(4, Passed.Seconds(0)), new Piece(4, Passed.Seconds(1)), new Piece(2, Passed.Seconds(2))], effect.Take(10));
        Assert.Equal([new Piece(3, Passed.Seconds(3))], effect.Take(3));
    }

    [Fact]
    public void Sizes_vary_as_configured_and_nothing_is_lost()
    {
        var slices = new SlicerToxic(10, Variation: 9).Effect().Take(100_000);

        Assert.Equal(100_000, slices.Sum(slice => slice.Length));
        Assert.Equal(Enumerable.Range(1, 19), slices.SkipLast(1).Select(slice => slice.Length).Distinct().Order());
        Assert.InRange(slices.Average(slice => slice.Length), 9.8, 10.2);
    }
}
