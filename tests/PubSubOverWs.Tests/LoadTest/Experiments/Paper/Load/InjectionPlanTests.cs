using PubSubOverWs.LoadTest.Experiments.Paper.Load;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

public sealed class InjectionPlanTests
{
    private static readonly IReadOnlyList<InjectedFault>[] Users = [.. Enumerable.Range(0, 500)
        .Select(seed => InjectionPlan.Draw(10, new Random(seed)))];

    [Fact]
    public void Every_fault_is_drawn_and_about_half_of_the_messages_are_untouched()
    {
        var drawn = Users.SelectMany(faults => faults).CountBy(action => action).ToDictionary();

        Assert.All(Enum.GetValues<InjectedFault>(), action => Assert.InRange(drawn[action], 10, 4_000));
        Assert.InRange(drawn[InjectedFault.None], 2_000, 3_000);
    }

    [Fact]
    public void A_swapped_message_is_followed_by_an_untouched_one() => Assert.All(Users, faults =>
        Assert.All(faults.Index().Where(one => one.Item == InjectedFault.Swap),
            one => Assert.Equal(InjectedFault.None, faults[one.Index + 1])));

    [Fact]
    public void Only_the_last_message_is_delayed() =>
        Assert.All(Users, faults => Assert.DoesNotContain(InjectedFault.Delay, faults.SkipLast(1)));

    [Fact]
    public void The_same_seed_draws_the_same() => Assert.Equal(Users[7], InjectionPlan.Draw(10, new Random(7)));

    [Fact]
    public void A_single_message_is_never_swapped() =>
        Assert.DoesNotContain(Enumerable.Range(0, 500), seed => InjectionPlan.Draw(1, new Random(seed))[0] == InjectedFault.Swap);
}
