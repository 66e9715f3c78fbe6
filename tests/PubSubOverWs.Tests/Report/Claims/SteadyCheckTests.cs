using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.Report.Claims;

public sealed class SteadyCheckTests
{
    [Fact]
    public void A_record_whose_scenario_does_not_ask_has_no_such_check_and_keeps_its_verdict()
    {
        var cold = WarmingUp(mostWarmUps: 0, (Relays.Direct, 1, [900, 900, 100]));

        Assert.DoesNotContain(Validity.Check(cold), check => check.Name == SteadyCheck.Name);
        Assert.True(Validity.IsValid(cold));
    }

    [Fact]
    public void Arms_that_were_steady_are_told_with_the_warm_ups_and_seconds_that_they_had()
    {
        var steady = Steady(WarmingUp(
            mostWarmUps: 5, (Relays.Direct, 1, [100, 100, 100]), (Relays.Direct, 2, [100, 110, 100]),
                (Relays.PubSub, 1, [900, 400, 390, 400]),
            (Relays.PubSub, 2, [500, 490, 480])));

        Assert.Equal((true, "direct had 3 warm-ups (1.2 s), pubsub had 3 to 4 warm-ups (1.2 to 1.6 s)"), (steady.Holds, steady.Detail));
    }

    [Fact]
    public void An_arm_that_was_not_steady_is_named_with_its_block_and_leaves_the_run_valid()
    {
        var folder = WarmingUp(
            mostWarmUps: 4, (Relays.Direct, 1, [9, 9, 9]), (Relays.PubSub, 1, [900, 400, 390, 400]),
                (Relays.PubSub, 2, [900, 500, 400, 200]));

        Assert.Null(Steady(folder).Holds);
        Assert.EndsWith("; NOT STEADY: pubsub at 100 in block 2 after 4 (1.6 s)", Steady(folder).Detail, StringComparison.Ordinal);
        Assert.True(Validity.IsValid(folder) && Validity.Check(folder).Count(check => check.IsWarning) == 1);
    }

    [Fact]
    public void Arms_that_were_not_measured_and_rows_that_ran_again_do_not_count()
    {
        var folder = WarmingUp(4, (Relays.Direct, 1, [9, 9, 9]), (Relays.PubSub, 1, [9, 9, 9]));
        var cut = WarmingUp(4, (Relays.PubSub, 1, [900, 400, 100, 50])).Rows.Select(row => row with { Superseded = true });

        Assert.Equal("direct had 3 warm-ups (1.2 s)", Steady(Only(row => row.WarmUp || row.Arm == Relays.Direct)).Detail);
        Assert.Equal(
            "direct had 3 warm-ups (1.2 s), pubsub had 3 warm-ups (1.2 s)", Steady(folder with { Rows = [.. cut, .. folder.Rows] }).Detail);
        Assert.DoesNotContain(Validity.Check(Only(row => row.WarmUp)), check => check.IsWarning);

        RunFolder Only(Func<IterationRow, bool> counts) => folder with { Rows = [.. folder.Rows.Where(counts)] };
    }

    [Fact]
    public void Without_the_CPU_time_of_a_server_it_is_not_known_whether_its_arm_was_steady()
    {
        var folder = WarmingUp(mostWarmUps: 4, (Relays.Direct, 1, [100, 100, 100]));

        var unknown = Steady(folder with { Rows = [.. folder.Rows.Select(row => row with { Cpu = default })] });

        Assert.Equal((null, "direct had 3 warm-ups (1.2 s); not known, without the CPU time of the server: direct at 100 in block 1"),
            (unknown.Holds, unknown.Detail));
    }

    private static ValidityCheck Steady(RunFolder folder) => Validity.Check(folder).Single(check => check.Name == SteadyCheck.Name);

    // Each arm in each block: its warm-ups with the CPU times of the server in ms, and one measured iteration; 0.4 s each.
    private static RunFolder WarmingUp(int mostWarmUps, params (string Arm, int Block, int[] Took)[] warmUps) => new(
        Some.RunOf(Some.Scenario with { MostWarmUps = mostWarmUps }),
        [
            .. from one in warmUps from took in one.Took.Append(0) select Some.Row(one.Arm, 100, one.Block, 1) with
            {
                WarmUp = took > 0,
                Burst = TimeSpan.FromSeconds(0.07),
                Cpu = new CpuTimes(TimeSpan.FromMilliseconds(took), null, null, null),
            },
        ], []);
}

public sealed class HalvesCheckTests
{
    [Fact]
    public void An_arm_that_still_changes_is_told_in_the_checks_and_the_findings_and_marked_in_the_table()
    {
        var folder = Warming(Relays.PubSub, 500);
        var check = Validity.Check(folder).Single(one => one.Name == HalvesCheck.Name);
        var report = ReportFolder.Make(folder).Markdown;

        Assert.Equal((null, true), (check.Holds, check.IsWarning));
        Assert.StartsWith("NOT STEADY: pubsub at 500 had ", check.Detail, StringComparison.Ordinal);
        Assert.True(Validity.IsValid(folder));
        Assert.Contains("may not have been steady: arms steady while they were measured: NOT STEADY: pubsub at 500", report,
            StringComparison.Ordinal);
        Assert.Contains($"){HalvesCheck.Mark} | 30 |", report, StringComparison.Ordinal);
        Assert.Equal(2, report.Split(HalvesCheck.Mark.Trim()).Length - 1);
    }

    [Fact]
    public void Arms_that_were_steady_are_counted()
    {
        var check = Validity.Check(SmallRun.Folder).Single(one => one.Name == HalvesCheck.Name);
        Assert.Equal((true, "in none of 4 cells do the halves of the blocks differ"), (check.Holds, check.Detail));
    }

    // The first three of the six iterations of each block are slower.
    private static RunFolder Warming(string arm, int users) => SmallRun.Folder with
    {
        Rows = [.. SmallRun.Folder.Rows.GroupBy(row => (row.Arm, row.Users, row.Block, row.WarmUp)).SelectMany(block =>
            block.Select((row, i) => row.Arm == arm && row.Users == users && !row.WarmUp && i < 3
                ? row with { FromSent = Some.Latency(users, 30_000 + (row.Iteration % 4 * 100)) }
                : row))],
    };
}
