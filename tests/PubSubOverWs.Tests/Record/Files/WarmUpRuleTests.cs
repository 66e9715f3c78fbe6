using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Files;

public sealed class WarmUpRuleTests
{
    private static readonly OneWayScenario Scenario =
        Some.Scenario with { Users = [50], Iterations = 4, Blocks = 2, WarmUps = 2, MostWarmUps = 5, Floor = false };

    // Two fifths of the largest, or 20 ms.
    [Theory]
    [InlineData("1000 600 700", true)]
    [InlineData("1000 599 700", false)]
    [InlineData("700 600 1000", true)]
    [InlineData("599 700 1000", false)]
    [InlineData("10 20 30", true)]
    [InlineData("30 20 9", false)]
    [InlineData("1660 1660 130", false)]
    [InlineData("0 0 0", true)]
    public void An_arm_is_steady_when_its_server_takes_as_much_CPU_time_in_each_of_three_warm_ups(string took, bool steady)
    {
        Assert.Equal(steady, WarmUpRule.IsSteady(Took(took)));
        Assert.Equal(steady, WarmUpRule.IsSteady(Took($"5000 {took}")));
    }

    [Fact]
    public void CPU_time_is_that_of_a_message_where_warm_ups_have_different_numbers_of_them()
    {
        var twice = Took(1000) with { Buckets = new Buckets { Attempts = 100, Delivered = 100 } };

        Assert.True(WarmUpRule.IsSteady([Took(500), twice, Took(500)]));
        Assert.True(WarmUpRule.IsSteady([Took(500), Took(500), twice]));
        Assert.False(WarmUpRule.IsSteady([Took(1000), Took(1000), twice]));
    }

    [Fact]
    public void Two_warm_ups_say_nothing_and_without_the_servers_CPU_time_nothing_is_known()
    {
        Assert.False(WarmUpRule.IsSteady([]));
        Assert.False(WarmUpRule.IsSteady(Took("100 100")));
        Assert.Null(WarmUpRule.IsSteady([Took(100), Took(100), Unknown]));
        Assert.Null(WarmUpRule.IsSteady([Unknown, Took(100), Took(100)]));
        Assert.Null(WarmUpRule.IsSteady([Took(0) with { Buckets = new Buckets { Attempts = 0 } }, Took(100), Took(100)]));
        Assert.True(WarmUpRule.IsSteady([Unknown, Took(100), Took(100), Took(100)]));
    }

    [Theory]
    [InlineData("900 500 400 395", 4)]
    [InlineData("900 895 600 100", 3)]
    [InlineData("900 700 500 300 100 50", 5)]
    [InlineData("20 30 25", 3)]
    [InlineData("60 60 110 60 60", 5)]
    public void An_arm_has_warm_ups_until_it_is_steady_or_has_the_most(string took, int expected)
    {
        var all = Took(took);

        var had = Enumerable.Range(0, all.Length + 1).First(count => !WarmUpRule.NeedsMore(Scenario, all[..count]));

        Assert.Equal(expected, had);
    }

    [Fact]
    public void An_arm_whose_CPU_time_is_unknown_has_no_further_warm_ups_and_one_without_a_bound_has_those_of_its_scenario()
    {
        Assert.False(WarmUpRule.NeedsMore(Scenario, [Unknown, Unknown, Unknown]));
        Assert.True(WarmUpRule.NeedsMore(Scenario with { WarmUps = 4 }, Took("100 100 100")));
        var unbounded = Scenario with { MostWarmUps = 0 };
        Assert.True(WarmUpRule.NeedsMore(unbounded, Took("900")));
        Assert.False(WarmUpRule.NeedsMore(unbounded, Took("900 100")));
    }

    [Fact]
    public void A_plan_is_complete_without_the_warm_ups_that_a_steady_arm_did_not_need()
    {
        var plan = RunPlan.For(Scenario);
        var rows = Recorded(plan);

        var planned = WarmUpRule.Planned(Scenario, plan, rows).ToArray();

        Assert.Equal(rows.Select(row => (row.Arm, row.Iteration)), planned.Select(one => (one.Arm, one.Step.Iteration)));
        // In each block: direct has three warm-ups, pubsub four, and each two measured iterations.
        Assert.Equal(2 * (3 + 4 + 2 + 2), rows.Length);
        Assert.Equal(8, rows.Count(row => row.Counts));
        Assert.Empty(ResumedPlan.From(Scenario, plan, rows).Remaining);
    }

    [Fact]
    public void A_record_with_a_warm_up_more_than_its_CPU_times_call_for_does_not_fit_its_plan()
    {
        var plan = RunPlan.For(Scenario);
        var rows = Recorded(plan);
        var cold = rows.First(row => row.Arm == Relays.PubSub);
        IterationRow[] steadySooner = [.. rows.Select(row => row == cold ? row with { Cpu = Took(300).Cpu } : row)];

        Check(rows);
        var refused = Assert.Throws<RecordException>(() => Check(steadySooner));
        Assert.Contains("stands where the plan of run.json has", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_warm_up_that_is_missing_cuts_its_block()
    {
        var plan = RunPlan.For(Scenario);
        var rows = Recorded(plan);
        var last = rows.Last(row => row is { Arm: Relays.PubSub, Block: 2, WarmUp: true });

        Assert.Equal([2], ResumedPlan.From(Scenario, plan, [.. rows.Except([last])]).Blocks);
    }

    [Fact]
    public void A_block_that_was_cut_while_it_warmed_up_runs_again_from_its_first_warm_up_and_is_whole_with_fewer_then()
    {
        var plan = RunPlan.For(Scenario);
        var cut = Recorded(plan).TakeWhile(row => row.Block == 1 || row.WarmUp).SkipLast(1).ToArray();

        var resumed = ResumedPlan.From(Scenario, plan, cut);

        Assert.Equal(new HashSet<int> { 2 }, resumed.Blocks);
        Assert.Equal(5 + 2, resumed.Remaining.Count);
        var again = Recorded(resumed.Remaining, first: 300);
        Assert.Equal(2 * (3 + 2), again.Length);
        IterationRow[] rows = [.. cut.Select(row => row with { Superseded = row.Block == 2 }), .. again];
        Assert.Empty(ResumedPlan.From(Scenario, resumed.Whole, rows).Remaining);
    }

    private static void Check(IterationRow[] rows) => CrossChecks.Check(new RunFolder(
        Some.RunOf(Scenario),
        [
            .. rows.Select(row => row with
            {
                Connect = TimeSpan.FromTicks(row.Order),
                Burst = TimeSpan.FromMilliseconds(600),
                FromDue = Some.Latency(50, 10_100 + row.Order),
                FromSent = Some.Latency(50, 10_000 + row.Order),
            }),
        ],
        [.. rows.DistinctBy(row => row.Block).Select(row => new EventRow(row.Start, "started", Relays.Direct, ""))]));

    // Direct takes 300 ms each time and is steady at once; pubsub takes another time first, and is steady with its fourth warm-up.
    private static IterationRow[] Recorded(IReadOnlyList<PlannedIteration> plan, int first = 900)
    {
        var rows = new List<IterationRow>();
        foreach (var step in plan)
        {
            foreach (var arm in step.Arms)
            {
                var before = rows.Where(row => row.WarmUp && row.Arm == arm && row.Block == step.Block).ToArray();
                var took = arm == Relays.PubSub && before.Length == 0 ? first : 300;
                if (!step.WarmUp || WarmUpRule.NeedsMore(Scenario, before))
                    rows.Add(Took(took, arm) with
                    {
                        Block = step.Block,
                        Iteration = step.Iteration,
                        Order = rows.Count + 1,
                        Start = TimeSpan.FromSeconds(rows.Count),
                        WarmUp = step.WarmUp,
                    });
            }
        }

        return [.. rows];
    }

    private static IterationRow Unknown => Took(0) with { Cpu = default };

    private static IterationRow[] Took(string milliseconds) => [.. milliseconds.Split(' ').Select(one => Took(int.Parse(one)))];

    private static IterationRow Took(int milliseconds, string arm = Relays.PubSub) =>
        Some.Row(arm, 50, 1, 1) with { Cpu = new CpuTimes(TimeSpan.FromMilliseconds(milliseconds), null, null, null) };
}
