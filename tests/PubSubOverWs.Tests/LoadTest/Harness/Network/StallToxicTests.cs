using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class StallToxicTests
{
    private static readonly StallToxic TwoOfTen = new(Passed.Seconds(10), Passed.Seconds(2));

    [Fact]
    public void Bytes_that_come_during_a_stall_pass_at_its_end_and_all_others_at_once()
    {
        var effect = TwoOfTen.Effect();
        var waits = Enumerable.Range(0, 1000).Select(i => effect.Take(1, due: 20 + (i * 0.1)).Single().Due - Passed.Seconds(20 + (i * 0.1)))
            .ToArray();

        Assert.All(waits, wait => Assert.InRange(wait, TimeSpan.Zero, Passed.Seconds(2)));
        Assert.InRange(waits.Count(wait => wait > TimeSpan.Zero), 190, 210);
        Assert.InRange(waits.Max(), Passed.Seconds(1.85), Passed.Seconds(2));
    }

    [Fact]
    public void The_first_stall_begins_after_a_part_that_is_drawn()
    {
        var first = Enumerable.Range(0, 1000)
            .Select(seed => TwoOfTen.Effect(seed))
            .Select(effect =>
                Enumerable.Range(0, 100).First(i => effect.Take(1, due: i * 0.1).Single().Due > Passed.Seconds(i * 0.1) || i == 99) * 0.1)
            .ToArray();

        Assert.InRange(first.Average(), 4.6, 5.4);
        Assert.InRange(first.Min(), 0, 0.3);
    }

    [Fact]
    public void A_stall_that_takes_all_the_time_never_ends() =>
        Assert.True(new StallToxic(Passed.Seconds(1), Passed.Seconds(1)).Effect().Take(1, due: 1).Single().Due > TimeSpan.FromHours(23));
}
