using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

/// <summary>Runs without servers: each trial takes the CPU time that a test gives it.</summary>
public sealed class AgendaTests
{
    private static readonly OneWayScenario Scenario =
        new() { Name = "x", Users = [50, 100], Iterations = 4, Blocks = 2, WarmUps = 1, MostWarmUps = 8, Floor = false };

    [Fact]
    public void An_arm_warms_up_until_its_CPU_time_is_steady_and_then_it_is_measured()
    {
        var rows = Run(Scenario, (_, before) => Math.Max(200, 1000 - (300 * before)));

        // 1000, 700, 400, 200, 200, 200.
        Assert.All(WarmUps(rows), warmUps => Assert.Equal(6, warmUps));
    }

    [Fact]
    public void Each_arm_stops_by_itself_at_each_level_of_each_block()
    {
        var rows = Run(Scenario, (trial, before) =>
            trial.Arm.HasQueue && trial is { Block: 2, Level.Number: 100 } && before < 3 ? 1000 >> before : 100);

        Assert.Equal([3, 3, 3, 3, 3, 3, 3, 6], WarmUps(rows).Order());
        Assert.All(rows.GroupBy(row => (row.Arm, row.Level, row.Block)), arm => Assert.Equal(2, arm.Count(row => row.Counts)));
    }

    [Fact]
    public void An_arm_that_never_becomes_steady_has_the_most_warm_ups_and_is_measured()
    {
        var rows = Run(Scenario, (_, before) => 1000 >> (before % 2));

        Assert.All(WarmUps(rows), warmUps => Assert.Equal(8, warmUps));
        Assert.Equal(2 * 2 * 4, rows.Count(row => row.Counts));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public void Rows_are_counted_without_gaps_and_fit_the_plan_wherever_warm_ups_are_left_out(int lastOrder)
    {
        var rows = Run(Scenario, (trial, before) => trial.Arm.HasQueue && before == 0 ? 500 : 100, lastOrder);

        Assert.Equal(Enumerable.Range(lastOrder + 1, rows.Count), rows.Select(row => row.Order));
        Assert.Equal(
            WarmUpRule.Planned(Scenario, RunPlan.For(Scenario), rows).Select(one => (one.Arm, one.Step.Iteration, one.Step.WarmUp)),
            rows.Select(row => (row.Arm, row.Iteration, row.WarmUp)));
    }

    [Fact]
    public void What_is_left_is_an_upper_bound_until_no_arm_can_become_steady_sooner()
    {
        var agenda = new Agenda(Scenario, Trial.From(Scenario, RunPlan.For(Scenario)));
        var (totals, bounds) = (new List<int>(), new List<bool>());
        while (agenda.Left.Count > 0)
        {
            totals.Add(agenda.Done + agenda.Left.Count);
            bounds.Add(agenda.IsAtMost);
            agenda.Ended(Row(agenda.Left[0], 100));
        }

        Assert.Equal((2 * 2 * 2 * (8 + 2), 2 * 2 * 2 * (3 + 2)), (totals[0], totals[^1]));
        Assert.Equal(totals.OrderDescending(), totals);
        Assert.Equal((true, false), (bounds[0], bounds[^1]));
        Assert.Empty(agenda.Left);
    }

    [Fact]
    public void Without_a_bound_every_planned_trial_runs()
    {
        var fixedNumber = Scenario with { WarmUps = 3, MostWarmUps = 0 };

        var rows = Run(fixedNumber, (_, before) => 1000 >> before);

        Assert.Equal(Trial.From(fixedNumber, RunPlan.For(fixedNumber)).Select(trial => trial.Order), rows.Select(row => row.Order));
        Assert.All(WarmUps(rows), warmUps => Assert.Equal(3, warmUps));
    }

    private static List<IterationRow> Run(OneWayScenario scenario, Func<Trial, int, int> took, int lastOrder = 0)
    {
        var agenda = new Agenda(scenario, Trial.From(scenario, RunPlan.For(scenario), lastOrder));
        var rows = new List<IterationRow>();
        for (var block = 1; block <= scenario.Blocks; block++)
        {
            while (agenda.Next(block) is [var trial])
            {
                var before = rows.Count(row => row.Arm == trial.Arm.Name && row.Level.Equals(trial.Level) && row.Block == block);
                rows.Add(Row(trial, took(trial, before)));
                agenda.Ended(rows[^1]);
            }
        }

        Assert.Empty(agenda.Left);
        return rows;
    }

    private static IEnumerable<int> WarmUps(IEnumerable<IterationRow> rows) =>
        rows.GroupBy(row => (row.Arm, row.Level, row.Block)).Select(arm => arm.Count(row => row.WarmUp));

    private static IterationRow Row(Trial trial, int milliseconds) =>
        Some.Row(trial.Arm.Name, trial.Level.Number, trial.Block, trial.Iteration) with
        {
            Order = trial.Order,
            WarmUp = trial.WarmUp,
            Cpu = new CpuTimes(TimeSpan.FromMilliseconds(milliseconds), null, null, null),
        };
}
