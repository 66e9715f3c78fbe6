using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.Report.Claims;

public sealed class ValidityTests
{
    private static readonly IterationRow Good = Some.Row(Relays.Direct, 100, 1, 1);

    [Fact]
    public void A_run_in_which_nothing_broke_is_valid() => Assert.Empty(Broken(Good));

    [Fact]
    public void A_run_without_a_measured_iteration_published_nothing() =>
        Assert.Equal(["something was published"], Broken(Good with { WarmUp = true }));

    [Fact]
    public void A_level_at_which_everything_was_refused_published_nothing() =>
        Assert.Contains("something was published", Broken(Good with
        {
            Buckets = new Buckets { Attempts = 100, Refused = 100, Causes = new CauseCounts(SendError: 100) },
        }));

    [Theory]
    [InlineData(new[] { 500 }, false)]
    [InlineData(new int[0], true)]
    public void A_rate_far_beyond_the_knee_may_be_refused_whole_by_an_arm_that_holds_a_lower_one(int[] published, bool broken)
    {
        int[] rates = [500, 2000];
        var scenario = new RequestReplyScenario { Name = "x", Rates = rates };
        var rows = rates.Select((rate, i) => Good with
        {
            Level = scenario.Levels[i],
            Buckets = published.Contains(rate)
                ? new Buckets { Attempts = 100, Delivered = 100 }
                : new Buckets { Attempts = 100, Refused = 100, Causes = new CauseCounts(Deadline: 100) },
        });

        var check = Validity.Check(new RunFolder(Some.RunOf(scenario), [.. rows], [])).Single(one => one.Name == "something was published");

        Assert.Equal((!broken, true), (check.Holds, check.Detail.Contains("direct at 2000", StringComparison.Ordinal)));
    }

    [Fact]
    public void A_queue_that_was_not_empty_is_broken_and_one_that_was_not_asked_is_not()
    {
        Assert.Equal(["queue drained at the end"], Broken(Good with { DrainState = DrainState.Failed }));
        Assert.Empty(Broken(Good with { DrainState = DrainState.NotProven }));
    }

    [Fact]
    public void Under_a_fault_the_wait_for_lost_messages_does_not_make_the_load_look_idle()
    {
        var run = SmallFault.Folder.Run;
        var whole = Good with { Burst = TimeSpan.FromSeconds(48), Cpu = new CpuTimes(null, null, TimeSpan.FromSeconds(12), null) };
        var row = whole with { Buckets = whole.Buckets with { Delivered = whole.Buckets.Delivered - 1, LostUnacknowledged = 1 } };
        Assert.Equal(0.5, Validity.LoadCoreShare(run, row));
        // Nothing is waited for: publishers may go on for longer than the scenario says, where they wait for a server.
        Assert.Equal(0.25, Validity.LoadCoreShare(run, whole));
        Assert.Equal(0.25, Validity.LoadCoreShare(Some.RunOf(Some.Scenario with { Arrival = Arrival.Parse("spread:24s") }), row));
        Assert.Null(Validity.LoadCoreShare(run with { SetUp = run.SetUp with { Pinned = [] } }, row));
        Assert.Null(Validity.LoadCoreShare(run with { Scenario = run.Scenario.OneWay() with { Fault = new QueueKilledFault() } }, row));
    }

    [Theory]
    [InlineData(100, false)]
    [InlineData(99, true)]
    public void One_failed_connect_in_a_hundred_is_too_many(int connections, bool broken) =>
        Assert.Equal(broken, Broken(Good with { Connections = connections }).Contains("first connects failed below 1 %"));

    [Theory]
    [InlineData("spread:2s", 3, false)]
    [InlineData("spread:2s", 4, true)]
    [InlineData("burst", 100, false)]
    public void One_message_in_a_hundred_may_be_sent_late_in_open_loop_work(string arrival, int late, bool broken)
    {
        var run = Some.RunOf(Some.Scenario with { Arrival = Arrival.Parse(arrival) });
        var rows = new[] { Good, Good with { LateSends = late }, Good };
        Assert.Equal(!broken, Validity.IsValid(new RunFolder(run, rows, [])));
    }

    [Fact]
    public void The_lag_that_breaks_a_run_is_named_with_its_arm_and_level()
    {
        var run = Some.RunOf(Some.Scenario with { Arrival = Arrival.Parse("spread:2s") });
        var folder = new RunFolder(run, [Good, Good with { LateSends = 50 }], []);
        var lag = Validity.Check(folder).Single(check => check.Name.StartsWith("schedule lag", StringComparison.Ordinal));
        Assert.Equal("sent later than that: direct at 100: 25.0 %; p99 of the worst iteration 1.2 ms", lag.Detail);
    }

    [Theory]
    [InlineData("spread:2s", 60, 29, false)]
    [InlineData("spread:2s", 60, 30, true)]
    [InlineData("burst", 60, 40, false)]
    public void The_loads_core_carries_load_and_queue_and_must_not_be_full(string arrival, int loadMs, int queueMs, bool broken)
    {
        var row = Good with
        {
            Burst = TimeSpan.FromMilliseconds(100),
            Cpu = new CpuTimes(null, TimeSpan.FromMilliseconds(queueMs), TimeSpan.FromMilliseconds(loadMs), null),
        };
        Assert.Equal(broken, Broken(row, arrival).Contains("the load's core below 90 % busy"));
    }

    [Fact]
    public void Without_pinning_everything_shares_all_cores()
    {
        var run = Some.Run with { SetUp = Some.Run.SetUp with { Pinned = [] } };
        var row = Good with
        {
            Burst = TimeSpan.FromMilliseconds(100),
            Cpu = new CpuTimes(TimeSpan.FromMilliseconds(60), null, TimeSpan.FromMilliseconds(40), TimeSpan.FromMilliseconds(10)),
        };
        Assert.Equal(110.0 / 200, Validity.LoadCoreShare(run, row)!.Value, 1e-12);
    }

    [Fact]
    public void Failed_checks_of_the_runner_make_the_run_invalid()
    {
        var folder = new RunFolder(
            Some.Run with { Checks = new RunChecks(ClockMonotonic: false, QueueAlive: false, ServersAlive: false) }, [Good], []);
        Assert.Equal(
            ["queue alive all along", "servers alive all along", "clock monotonic"],
            Validity.Check(folder).Where(check => check.Holds == false).Select(check => check.Name));
        Assert.False(Validity.IsValid(folder));
    }

    [Fact]
    public void A_server_killed_by_order_makes_messages_late_and_that_is_shown_and_not_judged()
    {
        var late = Good with { LateSends = 50 };
        Assert.Contains("schedule lag p99 within 20 ms", Broken(late, SmallFault.Scenario with { Fault = new ChurnFault() }));
        Assert.Empty(Broken(late, SmallFault.Scenario with { Fault = new RestartFault(KillSignal.Term) }));
    }

    [Fact]
    public void Messages_due_while_their_publisher_was_offline_do_not_count_as_schedule_lag()
    {
        var folder = SmallFault.Folder with { Run = Some.RunOf(SmallFault.Scenario with { Fault = new QueueDownFault() }) };
        var late = folder with { Rows = [.. folder.Rows.Select(row => row with { LateSends = (int)row.Buckets.Attempts / 2 })] };
        var away = SmallFault.WithFaults(late, fault => fault with { LateWhileAway = (int)late.Rows[0].Buckets.Attempts / 2 });

        Assert.False(Lag(late).Holds);
        Assert.True(Lag(away).Holds);
        Assert.Contains("that were due while their publisher was offline", Lag(away).Detail, StringComparison.Ordinal);

        static ValidityCheck Lag(RunFolder folder) =>
            Validity.Check(folder).Single(check => check.Name.StartsWith("schedule lag", StringComparison.Ordinal));
    }

    [Fact]
    public void First_connects_are_judged_unless_the_fault_is_about_connecting()
    {
        var failed = Good with { Connections = 50 };
        Assert.Contains("first connects failed below 1 %", Broken(failed, SmallFault.Scenario));
        Assert.All([(Fault)new ConnectStormFault(), new SmallHostFault()],
            fault => Assert.Empty(Broken(failed, SmallFault.Scenario with { Fault = fault })));
    }

    [Fact]
    public void A_queue_may_die_only_by_order()
    {
        var dead = new RunChecks(QueueAlive: false);
        var killed = SmallFault.Of(SmallFault.Scenario with { Fault = new QueueKilledFault() });
        Assert.True(Validity.IsValid(killed with { Run = killed.Run with { Checks = dead } }));
        Assert.False(Validity.IsValid(SmallFault.Folder with { Run = SmallFault.Folder.Run with { Checks = dead } }));
    }

    [Fact]
    public void A_server_that_dies_by_itself_breaks_a_run_that_kills_servers_too() =>
        Assert.False(
            Validity.IsValid(SmallFault.Folder with { Run = SmallFault.Folder.Run with { Checks = new RunChecks(ServersAlive: false) } }));

    private static IEnumerable<string> Broken(IterationRow row, OneWayScenario scenario) =>
        Validity.Check(new RunFolder(Some.RunOf(scenario), [row], [])).Where(check => check.Holds == false).Select(check => check.Name);

    private static IEnumerable<string> Broken(IterationRow row, string arrival = "burst")
    {
        var run = Some.RunOf(Some.Scenario with { Arrival = Arrival.Parse(arrival) });
        return Validity.Check(new RunFolder(run, [row], [])).Where(check => check.Holds == false).Select(check => check.Name);
    }
}
