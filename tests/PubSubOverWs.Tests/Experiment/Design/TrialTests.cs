using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Experiments.Relay;

namespace PubSubOverWs.Tests.Experiment.Design;

public sealed class TrialTests
{
    private static readonly OneWayScenario Scenario = new() { Name = "x", Users = [50] };

    private static readonly PlannedIteration[] Plan =
    [
        new(1, Some.Level(50), 1, false, [Arm.Floor.Name]),
        new(1, Some.Level(50), 2, true, [Arms.PubSub, Arms.Direct]),
    ];

    [Fact]
    public void The_arms_of_a_pair_follow_each_other_and_share_the_iteration() => Assert.Equal(
        [new Trial(Arm.Floor, Some.Level(50), 1, 1, 1, false), new Trial(Some.Arm(Arms.PubSub), Some.Level(50), 1, 2, 2, true),
            new Trial(Some.Arm(Arms.Direct), Some.Level(50), 1, 2, 3, true)],
        Trial.Of(Scenario, Plan));

    [Fact]
    public void Places_in_a_resumed_run_go_on_after_those_that_are_taken() =>
        Assert.Equal([8, 9, 10], Trial.Of(Scenario, Plan, lastOrder: 7).Select(trial => trial.Order));
}
