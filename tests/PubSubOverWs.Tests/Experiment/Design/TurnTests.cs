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
        [new Turn(Arms.Floor, 50, 1, 1, 1, false), new Turn(Arms.PubSub, 50, 1, 2, 2, true), new Turn(Arms.Direct, 50, 1, 2, 3, true)],
        Turn.Of(Plan));

    [Fact]
    public void Places_in_a_resumed_run_go_on_after_those_that_are_taken() =>
        Assert.Equal([8, 9, 10], Turn.Of(Plan, lastOrder: 7).Select(turn => turn.Order));
}
