using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Scenarios;

public sealed class RunPlanTests
{
    private static readonly OneWayScenario Scenario = Some.Scenario with { Users = [50, 100], Iterations = 8, Blocks = 3, WarmUps = 2 };

    [Fact]
    public void Iterations_are_dealt_over_the_blocks_and_none_is_lost()
    {
        Assert.Equal([3, 3, 2], Enumerable.Range(1, 3).Select(block => RunPlan.Share(8, 3, block)));
        Assert.Equal([6, 6, 6, 6, 6], Enumerable.Range(1, 5).Select(block => RunPlan.Share(30, 5, block)));
    }

    [Fact]
    public void Each_level_of_each_block_has_one_floor_then_pairs_both_after_their_warm_up()
    {
        var level = RunPlan.For(Scenario).Where(step => step is { Block: 3, Level.Number: 100 }).ToArray();
        Assert.Equal([true, true, false, true, true, false, false], level.Select(step => step.WarmUp));
        Assert.All(level[..3], step => Assert.Equal([Arm.Floor.Name], step.Arms));
        Assert.All(level[3..], step => Assert.Equal([Relays.Direct, Relays.PubSub], step.Arms.Order()));
    }

    [Fact]
    public void Warm_ups_are_planned_up_to_the_bound_and_neither_the_floor_nor_what_is_measured_has_more()
    {
        var bounded = Scenario with { MostWarmUps = 7 };

        var level = RunPlan.For(bounded).Where(step => step is { Block: 3, Level.Number: 100 }).ToArray();

        Assert.Equal(3, level.Count(step => step.Arms[0] == Arm.Floor.Name));
        Assert.Equal(7, level.Count(step => step.WarmUp && step.Arms.Count == 2));
        Assert.Equal(
            RunPlan.For(Scenario).Where(step => !step.WarmUp).Select(step => (step.Block, step.Level, step.Arms.Count)),
            RunPlan.For(bounded).Where(step => !step.WarmUp).Select(step => (step.Block, step.Level, step.Arms.Count)));
    }

    [Fact]
    public void Iteration_ids_are_unique_over_the_whole_run()
    {
        var plan = RunPlan.For(Scenario);
        Assert.Equal(Enumerable.Range(1, plan.Count), plan.Select(step => step.Iteration));
    }

    [Fact]
    public void The_same_seed_gives_the_same_order_and_another_seed_another()
    {
        Assert.Equal(Orders(Scenario), Orders(Scenario));
        Assert.NotEqual(Orders(Scenario), Orders(Scenario with { Seed = 7 }));
    }

    // First outputs of SplitMix64 for seed 1234567, from the reference at https://prng.di.unimi.it/splitmix64.c:
    // 6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821, 7804594928223864054. Odd:
    // not swapped.
    [Fact]
    public void The_shuffle_follows_the_published_generator()
    {
        var order = new ArmOrder(1234567);
        Assert.All(Enumerable.Range(0, 5), _ => Assert.Equal("a", order.Next(["a", "b"])[0]));
        Assert.Equal("b", order.Next(["a", "b"])[0]);
    }

    [Fact]
    public void Both_orders_come_about_equally_often()
    {
        var order = new ArmOrder(2015);
        var first = Enumerable.Range(0, 10_000).Count(_ => order.Next(["a", "b"])[0] == "a");
        Assert.InRange(first, 4_800, 5_200);
    }

    [Fact]
    public void A_cut_block_runs_again_whole_under_new_ids_and_finished_blocks_stay()
    {
        var plan = RunPlan.For(Scenario);
        var rows = Rows(plan.TakeWhile(step => step.Block < 3)).SkipLast(1).ToArray();
        var resumed = ResumedPlan.From(Scenario, plan, rows);

        Assert.Equal(new HashSet<int> { 2, 3 }, resumed.Blocks);
        Assert.Equal(plan.Where(step => step.Block > 1).Select(step => step.Arms), resumed.Remaining.Select(step => step.Arms));
        Assert.Equal(Enumerable.Range(plan.Count + 1, resumed.Remaining.Count), resumed.Remaining.Select(step => step.Iteration));
        Assert.Equal(plan.Where(step => step.Block == 1).Concat(resumed.Remaining), resumed.Whole);
    }

    [Fact]
    public void A_run_that_is_cut_twice_is_resumed_twice()
    {
        var first = ResumedPlan.From(Scenario, RunPlan.For(Scenario), []);
        var rows = Rows(first.Remaining.Where(step => step.Block < 3)).ToArray();
        var second = ResumedPlan.From(Scenario, first.Whole, rows);
        Assert.Equal(new HashSet<int> { 3 }, second.Blocks);
        Assert.Empty(ResumedPlan.From(Scenario, second.Whole, [.. rows, .. Rows(second.Remaining)]).Remaining);
    }

    private static string Orders(OneWayScenario scenario) => string.Join(' ', RunPlan.For(scenario).Select(step => step.Arms[0]));

    private static IEnumerable<IterationRow> Rows(IEnumerable<PlannedIteration> steps) =>
        steps.SelectMany(step =>
            step.Arms.Select(arm => Some.Row(arm, step.Level.Number, step.Block, step.Iteration) with { WarmUp = step.WarmUp }));
}

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
        Trial.From(Scenario, Plan));

    [Theory]
    [InlineData(0, "4 3 2 1? 0?")]
    [InlineData(3, "4 3 2 1? 0?")]
    [InlineData(4, "4 3 2 1 0?")]
    [InlineData(5, "4 3 2 1 0")]
    public void Each_warm_up_knows_how_many_its_arm_may_have_after_it_and_whether_it_is_run_in_any_case(int warmUps, string expected)
    {
        var scenario = new OneWayScenario { Name = "x", Users = [50, 100], Iterations = 2, Blocks = 2, WarmUps = warmUps, MostWarmUps = 5 };

        var trials = Trial.From(scenario, RunPlan.For(scenario));

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
        Assert.Equal([8, 9, 10], Trial.From(Scenario, Plan, lastOrder: 7).Select(trial => trial.Order));
}
