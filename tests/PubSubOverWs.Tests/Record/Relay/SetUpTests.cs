using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report;

namespace PubSubOverWs.Tests.Record.Relay;

/// <summary>The settings of the two relaying servers, and the fault actions on them.</summary>
public sealed class SetUpTests
{
    private static readonly OneWayScenario Scenario = new()
    { Name = "faults", Users = [10], Visibility = TimeSpan.FromSeconds(5), Arrival = new Arrival(TimeSpan.FromSeconds(25)) };

    [Fact]
    public void Only_the_pubsub_server_has_a_visibility()
    {
        Assert.Equal("00:00:05", SetUp(Scenario, Relays.PubSub).Settings["Queue:VisibilityTimeout"]);
        Assert.Empty(SetUp(Scenario, Relays.Direct).Settings);
    }

    [Fact]
    public void Only_the_pubsub_server_has_a_limit_of_messages_in_flight()
    {
        var bounded = Scenario with { MaxInFlight = 1_000 };

        Assert.Equal("1000", SetUp(bounded, Relays.PubSub).Settings["Queue:MaxInFlight"]);
        Assert.Empty(SetUp(bounded, Relays.Direct).Settings);
    }

    [Fact]
    public void The_lean_arm_of_requests_and_replies_has_the_lean_front_end_and_the_others_that_of_the_framework()
    {
        var settings = RequestReplyScenario.Experiment.Arms
            .Select(arm => (
                arm.Name, arm.Target, new RequestReplyScenario { Name = "" }.SetUp(arm).Settings.GetValueOrDefault("Relay:FrontEnd")));

        Assert.Equal(
            [
                ("direct", "direct", null), ("direct+lean", "direct", "Lean"), ("pubsub", "pubsub", null),
                ("pubsub+single", "pubsub", (string?)null),
            ],
            settings);
    }

    [Fact]
    public void Publishes_share_SQS_messages_as_they_do_by_default_in_every_experiment_but_in_the_arm_that_is_named_after_single_ones()
    {
        var arms =
            from kind in ScenarioKinds.All
            from arm in kind.Arms
            where arm.HasQueue
            select (arm.Name, Pack: kind.Empty().SetUp(arm).Settings.GetValueOrDefault("Queue:Sending:Pack"));

        var byDefault = $"{new SendingOptions().Pack}";
        Assert.Contains(("pubsub", byDefault), arms);
        Assert.Contains(("pubsub+single", "1"), arms);
        Assert.All(arms, arm => Assert.Equal(
            arm.Name.StartsWith(Relays.Unpacked.Name, StringComparison.Ordinal) ? "1" : byDefault, arm.Pack));
    }

    [Fact]
    public void Two_instances_of_a_pubsub_server_have_its_default_too() => Assert.All(
        Relays.AgainstItself(Relays.PubSub), arm => Assert.Equal("50", Scenario.SetUp(arm).Settings["Queue:Sending:Pack"]));

    [Fact]
    public void A_step_that_is_slow_is_slow_in_every_arm_and_one_has_a_buffer()
    {
        var overload = Scenario with { Fault = new OverloadFault { Buffer = 500 } };
        Assert.All([Relays.Direct, Relays.Buffered, Relays.PubSub],
            arm =>
                Assert.Equal(
                    ("00:00:00.0100000", "7"),
                    (SetUp(overload, arm).Settings["Relay:Delivery:Cost"], SetUp(overload, arm).Settings["Relay:Delivery:AtATime"])));
        Assert.Equal("500", SetUp(overload, Relays.Buffered).Settings["Direct:Buffer"]);
        Assert.DoesNotContain("Direct:Buffer", SetUp(overload, Relays.Direct).Settings.Keys);
    }

    [Fact]
    public void The_buffer_is_there_under_every_fault_so_that_a_restart_can_lose_it() =>
        Assert.Equal(
            "10000", SetUp(Scenario with { Fault = new RestartFault(KillSignal.Kill) }, Relays.Buffered).Settings["Direct:Buffer"]);

    [Fact]
    public void A_connect_storm_meets_a_small_backlog() =>
        Assert.Equal("4", SetUp(Scenario with { Fault = new ConnectStormFault() }, Relays.PubSub).Settings["Relay:Backlog"]);

    [Fact]
    public void A_heap_limit_is_written_in_hexadecimal_as_the_runtime_expects_it() => Assert.Equal(
        "40000000", SetUp(Scenario with { Fault = new SmallHostFault() }, Relays.Direct).Environment["DOTNET_GCHeapHardLimit"]);

    [Fact]
    public void Nodes_and_the_distance_of_the_queue_are_those_of_the_arm_that_has_one()
    {
        var far = Scenario with { PubSubNodes = 3, QueueLatency = QueueLatency.Aws };

        Assert.Equal((3, QueueLatency.Aws), (SetUp(far, Relays.PubSub).Servers, SetUp(far, Relays.PubSub).QueueLatency));
        Assert.Equal((1, QueueLatency.None), (SetUp(far, Relays.Direct).Servers, SetUp(far, Relays.Direct).QueueLatency));
    }

    [Theory]
    [InlineData("none", false)]
    [InlineData("restart", false)]
    [InlineData("queue-down", true)]
    [InlineData("queue-killed", true)]
    public void The_queue_that_a_fault_disturbs_has_a_proxy_before_it(string profile, bool proxied)
    {
        var scenario = Scenario with { Fault = FaultProfiles.Find(profile) };
        Assert.Equal(proxied, SetUp(scenario, Relays.PubSub).ProxiesQueue);
        Assert.False(SetUp(scenario, Relays.Direct).ProxiesQueue);
    }

    [Fact]
    public void The_null_echo_has_no_setting_of_another_server() => Assert.Equal(
        ServerSetUp.Default, (Scenario with { Fault = new OverloadFault() }).SetUp(Arm.Floor));

    [Fact]
    public void Actions_on_the_queue_apply_to_arms_that_have_one_and_actions_on_the_server_to_every_arm()
    {
        Assert.Equal([FaultActionKind.QueueRefuses], Actions(new QueueDownFault(), Relays.PubSub));
        Assert.Empty(Actions(new QueueDownFault(), Relays.Direct));
        Assert.Equal(Actions(new RestartFault(KillSignal.Kill), Relays.PubSub), Actions(new RestartFault(KillSignal.Kill), Relays.Direct));
        Assert.NotEmpty(Actions(new RestartFault(KillSignal.Kill), Relays.Direct));
    }

    [Fact]
    public void Where_nothing_is_broken_and_at_the_floor_nothing_is_done_from_outside()
    {
        Assert.Null(Scenario.Plan(TrialOf(Relays.Direct)));
        Assert.Null((Scenario with { Fault = new ChurnFault() }).Plan(TrialOf(Arm.Floor.Name)));
        Assert.Equal(TimeSpan.FromSeconds(25), (Scenario with { Fault = new ChurnFault() }).Plan(TrialOf(Relays.Direct))?.Lasts);
    }

    private static ServerSetUp SetUp(OneWayScenario scenario, string arm) => scenario.SetUp(Some.Arm(arm));

    private static IEnumerable<FaultActionKind> Actions(Fault fault, string arm) =>
        (Scenario with { Fault = fault }).Plan(TrialOf(arm))!.Actions.Select(action => action.Kind);

    private static Trial TrialOf(string arm) => new(Some.Arm(arm), Some.Level(10), 1, 1, 1, false);
}

public sealed class PubSubNodesTests
{
    [Theory]
    [InlineData("", 1)]
    [InlineData(""","pubsubNodes":16""", 16)]
    public void A_scenario_says_how_many_servers_its_pubsub_arm_is(string key, int nodes) =>
        Assert.Equal(nodes, ScenarioJson.Parse($$"""{"name":"a","users":[5]{{key}}}""", "a.json").OneWay().PubSubNodes);

    [Theory]
    [InlineData(0)]
    [InlineData(17)]
    public void More_or_less_than_can_be_are_refused(int nodes) => Assert.Contains(
        "it must be from 1 to 16", Assert.Throws<ScenarioException>(() => (Some.Scenario with { PubSubNodes = nodes }).Checked()).Message,
        StringComparison.Ordinal);

    [Fact]
    public void A_report_of_several_says_so_in_every_heading()
    {
        var report = ReportOf(Some.Scenario with { PubSubNodes = 3 });

        Assert.All(report.Split('\n').Where(line => line.StartsWith('#') && line != "## Terms"),
            heading => Assert.EndsWith(" (pubsub: 3 nodes)", heading, StringComparison.Ordinal));
        Assert.Contains("Pubsub is 3 servers here", report, StringComparison.Ordinal);
        Assert.Contains("All of them ran on one core", report, StringComparison.Ordinal);
        Assert.Contains("| arms | direct, pubsub; pubsub is 3 nodes that share the work |", report, StringComparison.Ordinal);
    }

    [Fact]
    public void Headings_give_the_number_of_servers_beside_the_simulated_distance()
    {
        var report = ReportOf(Some.Scenario with { PubSubNodes = 3, QueueLatency = QueueLatency.Aws });

        Assert.All(
            report.Split('\n').Where(line => line.StartsWith('#') && line != "## Terms"),
            heading => Assert.EndsWith(" (simulated distance, pubsub: 3 nodes)", heading, StringComparison.Ordinal));
    }

    private static string ReportOf(OneWayScenario scenario) =>
        ReportFolder.Make(
            new RunFolder(Some.RunOf(scenario), [Some.Row(Relays.Direct, 100, 1, 1), Some.Row(Relays.PubSub, 100, 1, 1)], [])).Markdown;
}
