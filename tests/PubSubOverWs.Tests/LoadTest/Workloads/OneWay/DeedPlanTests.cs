using PubSubOverWs.LoadTest.Workloads.OneWay;

namespace PubSubOverWs.Tests.LoadTest.Workloads.OneWay;

public sealed class DeedPlanTests
{
    private static readonly IReadOnlyList<Deed>[] Users = [.. Enumerable.Range(0, 500).Select(seed => DeedPlan.Draw(10, new Random(seed)))];

    [Fact]
    public void Every_deed_is_drawn_and_about_half_of_the_messages_are_left_alone()
    {
        var drawn = Users.SelectMany(deeds => deeds).CountBy(deed => deed).ToDictionary();

        Assert.All(Enum.GetValues<Deed>(), deed => Assert.InRange(drawn[deed], 10, 4_000));
        Assert.InRange(drawn[Deed.None], 2_000, 3_000);
    }

    [Fact]
    public void What_is_swapped_is_followed_by_one_that_is_left_alone() => Assert.All(Users, deeds =>
        Assert.All(deeds.Index().Where(one => one.Item == Deed.Swap), one => Assert.Equal(Deed.None, deeds[one.Index + 1])));

    [Fact]
    public void Only_the_last_message_is_delayed() => Assert.All(Users, deeds => Assert.DoesNotContain(Deed.Delay, deeds.SkipLast(1)));

    [Fact]
    public void The_same_seed_draws_the_same() => Assert.Equal(Users[7], DeedPlan.Draw(10, new Random(7)));

    [Fact]
    public void A_single_message_is_never_swapped() =>
        Assert.DoesNotContain(Enumerable.Range(0, 500), seed => DeedPlan.Draw(1, new Random(seed))[0] == Deed.Swap);
}
