using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.Tests.LoadTest.Runs;

public sealed class ServerSettingsTests
{
    private static readonly Scenario Plain = new() { Name = "x", Users = [10] };

    [Fact]
    public void Without_a_fault_servers_keep_their_defaults()
    {
        Assert.Empty(ServerSettings.Of(Plain, Arms.PubSub));
        Assert.Equal(ChildCommand.Direct().Arguments, ServerSettings.Put(ChildCommand.Direct(), Plain, Arms.Direct).Arguments);
    }

    [Fact]
    public void Visibility_is_a_setting_of_the_pubsub_server_alone()
    {
        var scenario = Plain with { Visibility = TimeSpan.FromSeconds(5) };

        Assert.Equal("00:00:05", ServerSettings.Of(scenario, Arms.PubSub)["Sqs:VisibilityTimeout"]);
        Assert.Empty(ServerSettings.Of(scenario, Arms.Direct));
    }

    [Fact]
    public void Overload_is_alike_in_every_arm_but_for_the_buffer()
    {
        var scenario = Plain with { Fault = new OverloadFault { Cost = TimeSpan.FromMilliseconds(5), AtATime = 3, Buffer = 99 } };

        var direct = ServerSettings.Of(scenario, Arms.Direct);
        Assert.Equal(("00:00:00.0050000", "3"), (direct["Relay:Delivery:Cost"], direct["Relay:Delivery:AtATime"]));
        Assert.Equal(direct, ServerSettings.Of(scenario, Arms.PubSub));
        Assert.Equal([KeyValuePair.Create("Direct:Buffer", "99")], ServerSettings.Of(scenario, Arms.Buffered).Except(direct));
    }

    [Fact]
    public void The_arm_that_buffers_does_so_under_every_fault() =>
        Assert.Equal("10000", ServerSettings.Of(Plain with { Fault = new RestartFault(KillSignal.Kill) }, Arms.Buffered)["Direct:Buffer"]);

    [Fact]
    public void A_small_host_limits_the_heap_in_the_hexadecimal_that_the_runtime_reads()
    {
        var command = ServerSettings.Put(ChildCommand.Direct(), Plain with { Fault = new SmallHostFault() }, Arms.Direct);

        Assert.Equal("40000000", command.Environment!["DOTNET_GCHeapHardLimit"]);
    }

    [Fact]
    public void A_connect_storm_meets_a_small_backlog() =>
        Assert.Equal("16", ServerSettings.Of(Plain with { Fault = new ConnectStormFault() }, Arms.PubSub)["Relay:Backlog"]);
}
