using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class PinningPlanTests
{
    [Fact]
    public void Server_and_load_get_the_first_and_the_last_core()
    {
        var plan = PinningPlan.Decide(wanted: true, isLinux: true, hasTaskset: true, allowed: [2, 3, 6, 7]);

        Assert.Equal(new PinningPlan(2, 7, null), plan);
        Assert.True(plan.IsPinned);
    }

    [Fact]
    public void Without_the_wish_nothing_is_pinned() =>
        Assert.Contains(
            "--no-pin", NotPinned(PinningPlan.Decide(wanted: false, isLinux: true, hasTaskset: true, allowed: [0, 1])),
            StringComparison.Ordinal);

    [Fact]
    public void Only_Linux_is_pinned() =>
        Assert.Contains(
            "only Linux", NotPinned(PinningPlan.Decide(wanted: true, isLinux: false, hasTaskset: false, allowed: [])),
            StringComparison.Ordinal);

    [Fact]
    public void A_missing_taskset_is_named_with_its_package() =>
        Assert.Contains(
            "util-linux", NotPinned(PinningPlan.Decide(wanted: true, isLinux: true, hasTaskset: false, allowed: [0, 1])),
            StringComparison.Ordinal);

    [Fact]
    public void One_core_cannot_be_divided() =>
        Assert.Contains(
            "one core", NotPinned(PinningPlan.Decide(wanted: true, isLinux: true, hasTaskset: true, allowed: [0])),
            StringComparison.Ordinal);

    private static string NotPinned(PinningPlan plan)
    {
        Assert.Null(plan.ServerCore);
        Assert.Null(plan.LoadCore);
        return plan.WhyNot!;
    }
}
