using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.LoadTest.Targets.Sqs;
using PubSubOverWs.Tests.Experiment;

namespace PubSubOverWs.Tests.LoadTest.Targets.Sqs;

public sealed class ServerSettingsTests
{
    private static readonly OneWayScenario Scenario = new() { Name = "faults", Users = [10], Visibility = TimeSpan.FromSeconds(5) };

    [Fact]
    public void Only_the_pubsub_server_has_a_visibility()
    {
        Assert.Equal("00:00:05", ServerSettings.Of(Scenario, Some.Arm(Arms.PubSub))["Sqs:VisibilityTimeout"]);
        Assert.Empty(ServerSettings.Of(Scenario, Some.Arm(Arms.Direct)));
    }

    [Fact]
    public void Only_the_pubsub_server_has_a_bound_of_what_it_may_have_received()
    {
        var bounded = Scenario with { MaxInFlight = 1_000 };
        Assert.Equal("1000", ServerSettings.Of(bounded, Some.Arm(Arms.PubSub))["Sqs:MaxInFlight"]);
        Assert.Empty(ServerSettings.Of(bounded, Some.Arm(Arms.Direct)));
    }

    [Fact]
    public void A_step_that_is_slow_is_slow_in_every_arm_and_one_has_a_buffer()
    {
        var overload = Scenario with { Fault = new OverloadFault { Buffer = 500 } };
        Assert.All([Arms.Direct, Arms.Buffered, Arms.PubSub],
            arm =>
                Assert.Equal(
                    ("00:00:00.0100000", "7"),
                    (ServerSettings.Of(overload, Some.Arm(arm))["Relay:Delivery:Cost"],
                        ServerSettings.Of(overload, Some.Arm(arm))["Relay:Delivery:AtATime"])));
        Assert.Equal("500", ServerSettings.Of(overload, Some.Arm(Arms.Buffered))["Direct:Buffer"]);
        Assert.DoesNotContain("Direct:Buffer", ServerSettings.Of(overload, Some.Arm(Arms.Direct)).Keys);
    }

    [Fact]
    public void The_buffer_is_there_under_every_fault_so_that_a_restart_can_lose_it() =>
        Assert.Equal(
            "10000", ServerSettings.Of(Scenario with { Fault = new RestartFault(KillSignal.Kill) },
                Some.Arm(Arms.Buffered))["Direct:Buffer"]);

    [Fact]
    public void A_connect_storm_meets_a_small_backlog() =>
        Assert.Equal("4", ServerSettings.Of(Scenario with { Fault = new ConnectStormFault() }, Some.Arm(Arms.PubSub))["Relay:Backlog"]);

    [Fact]
    public void A_heap_limit_is_said_in_hexadecimal_as_the_runtime_wants_it() =>
        Assert.Equal("40000000", ServerSettings.EnvironmentOf(new SmallHostFault())["DOTNET_GCHeapHardLimit"]);
}
