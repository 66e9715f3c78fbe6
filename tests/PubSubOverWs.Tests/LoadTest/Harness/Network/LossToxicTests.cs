using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class LossToxicTests
{
    private static readonly LossToxic Tenth = new(0.1, Passed.Seconds(0.2));

    [Fact]
    public void The_share_of_chunks_comes_later_by_the_timeout_and_the_others_at_once()
    {
        var effect = Tenth.Effect();

        var waits = Enumerable.Range(0, 2000).Select(i => effect.Take(22, due: i).Single().Due - Passed.Seconds(i)).ToArray();

        Assert.Equal([TimeSpan.Zero, Passed.Seconds(0.2)], waits.Distinct().Order());
        Assert.InRange(waits.Count(wait => wait > TimeSpan.Zero), 160, 240);
    }

    [Fact]
    public void What_is_behind_a_late_chunk_comes_with_it_and_nothing_is_missing()
    {
        var effect = Tenth.Effect();

        var passed = Enumerable.Range(0, 2000).SelectMany(i => effect.Take(1, due: i * 0.01)).ToArray();

        Assert.Equal(2000, passed.Sum(piece => piece.Length));
        Assert.Equal(passed.Select(piece => piece.Due).Order(), passed.Select(piece => piece.Due));
        Assert.True(passed.GroupBy(piece => piece.Due).Max(together => together.Count()) > 1);
    }

    [Fact]
    public void Without_a_share_nothing_is_late_and_with_the_whole_everything_is()
    {
        Assert.Equal(Passed.Seconds(1), (Tenth with { Share = 0 }).Effect().Take(1, due: 1).Single().Due);
        Assert.Equal(Passed.Seconds(1.2), (Tenth with { Share = 1 }).Effect().Take(1, due: 1).Single().Due);
        Assert.NotNull((Tenth with { Share = 1.1 }).FindFault());
        Assert.NotNull((Tenth with { After = Passed.Seconds(-1) }).FindFault());
    }
}
