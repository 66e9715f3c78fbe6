using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Scenarios;

public sealed class TrialTests
{
    private static readonly OneWayScenario Scenario = new() { Name = "x", Users = [50] };

    private static readonly PlannedIteration[] Plan =
    [
        new(1, Some.Level(50), 1, false, [Arm.Floor.Name]),
        new(1, Some.Level(50), 2, true, [Relays.PubSub, Relays.Direct]),
    ];

    [Fact]
    public void The_arms_of_a_pair_follow_each_other_and_share_the_iteration() => Assert.Equal(
        [new Trial(Arm.Floor, Some.Level(50), 1, 1, 1, false), new Trial(Some.Arm(Relays.PubSub), Some.Level(50), 1, 2, 2, true),
            new Trial(Some.Arm(Relays.Direct), Some.Level(50), 1, 2, 3, true)],
        Trial.Of(Scenario, Plan));

    [Theory]
    [InlineData(0, "4 3 2 1? 0?")]
    [InlineData(3, "4 3 2 1? 0?")]
    [InlineData(4, "4 3 2 1 0?")]
    [InlineData(5, "4 3 2 1 0")]
    public void Each_warm_up_knows_how_many_its_arm_may_have_after_it_and_whether_it_is_run_in_any_case(int warmUps, string expected)
    {
        var scenario = new OneWayScenario { Name = "x", Users = [50, 100], Iterations = 2, Blocks = 2, WarmUps = warmUps, MostWarmUps = 5 };

        var trials = Trial.Of(scenario, RunPlan.For(scenario));

        var pairs = trials.Where(trial => trial.WarmUp && trial.Arm != Arm.Floor)
            .GroupBy(trial => (trial.Arm, trial.Level, trial.Block)).ToArray();
        Assert.Equal(8, pairs.Length);
        Assert.All(pairs, pair => Assert.Equal(expected, string.Join(
            ' ', pair.Select(trial => $"{trial.MoreWarmUps}{(trial.IsOptional(scenario) ? "?" : "")}"))));
        Assert.All(trials.Where(trial => !trial.WarmUp || trial.Arm == Arm.Floor), trial =>
            Assert.Equal((0, false), (trial.MoreWarmUps, trial.IsOptional(scenario))));
    }

    [Fact]
    public void Places_in_a_resumed_run_go_on_after_those_that_are_taken() =>
        Assert.Equal([8, 9, 10], Trial.Of(Scenario, Plan, lastOrder: 7).Select(trial => trial.Order));
}
