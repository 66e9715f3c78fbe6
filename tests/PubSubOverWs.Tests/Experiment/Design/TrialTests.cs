using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Tests.LoadTest.Runs;

public sealed class TurnTests
{
    private static readonly PlannedIteration[] Plan =
    [
        new(1, 50, 1, false, [Arms.Floor]),
        new(1, 50, 2, true, [Arms.PubSub, Arms.Direct]),
    ];

    [Fact]
    public void The_arms_of_a_pair_follow_each_other_and_share_the_iteration() => Assert.Equal(
        [new Trial(Arms.Floor, 50, 1, 1, 1, false), new Trial(Arms.PubSub, 50, 1, 2, 2, true), new Trial(Arms.Direct, 50, 1, 2, 3, true)],
        Trial.Of(Plan));

    [Fact]
    public void Places_in_a_resumed_run_go_on_after_those_that_are_taken() =>
        Assert.Equal([8, 9, 10], Trial.Of(Plan, lastOrder: 7).Select(trial => trial.Order));
}
