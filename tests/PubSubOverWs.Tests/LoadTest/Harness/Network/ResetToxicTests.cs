using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class ResetToxicTests
{
    private readonly Random _random = new(1);

    [Fact]
    public void The_reset_comes_after_the_given_time_from_when_it_was_applied_to_the_connection() =>
        Assert.Equal(
            Passed.Seconds(15), new ResetToxic(Passed.Seconds(5)).ResetAt(new ToxicContext(Passed.Seconds(10), AtOpening: false, _random)));

    [Fact]
    public void Jitter_is_spread_evenly_around_the_time_of_the_reset()
    {
        var toxic = new ResetToxic(Passed.Seconds(5), Passed.Seconds(5));
        var resets = Enumerable.Range(0, 10_000).Select(_ => toxic.ResetAt(new ToxicContext(default, AtOpening: true, _random))!.Value)
            .ToArray();

        Assert.All(resets, at => Assert.InRange(at, Passed.Seconds(0), Passed.Seconds(10)));
        Assert.InRange(resets.Average(at => at.TotalSeconds), 4.9, 5.1);
    }

    [Fact]
    public void A_reset_toxic_has_no_effect_on_bytes() =>
        Assert.Null(new ResetToxic(Passed.Seconds(5)).Effect(new ToxicContext(default, AtOpening: true, _random)));
}
