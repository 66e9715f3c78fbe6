using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class PubSubTargetTests
{
    private static readonly Uri LocalSqs = new("http://127.0.0.1:40001/");

    [Fact]
    public void One_server_is_alone_with_its_queue_whatever_the_environment_says()
    {
        var server = Assert.Single(Of(new ServerSetUp()));

        Assert.Equal("pubsub", server.Name);
        Assert.Equal(["--Queue:Nodes:Enabled", "false"], server.Arguments.TakeLast(2));
    }

    [Fact]
    public void Several_are_nodes_with_one_queue_and_names_of_their_own()
    {
        var servers = Of(new ServerSetUp { Servers = 3 });

        Assert.Equal(["pubsub-1", "pubsub-2", "pubsub-3"], servers.Select(one => one.Name));
        Assert.All(servers, one => Assert.Equal(servers[0].Arguments, one.Arguments));
        Assert.Equal(["--Queue:Nodes:Enabled", "true"], servers[0].Arguments.TakeLast(2));
        Assert.Contains("block-queue", servers[0].Arguments);
    }

    [Fact]
    public void The_first_of_several_may_reach_its_queue_otherwise_and_is_set_up_as_the_others()
    {
        var setUp = new ServerSetUp { Servers = 2, SharedAs = "cluster", Settings = new Dictionary<string, string> { ["A"] = "1" } };
        ChildCommand At(Uri queue) => PubSubTarget.Command(Some.Arm(Relays.PubSub), QueueTarget.Embedded, "block-queue", queue, setUp);

        var servers = ArmCommands.From(At(LocalSqs), setUp, first: At(new Uri("http://127.0.0.1:40002/")));

        Assert.Equal(["cluster-1", "cluster-2"], servers.Select(one => one.Name));
        Assert.Contains("http://127.0.0.1:40002/", servers[0].Arguments);
        Assert.Contains($"{LocalSqs}", servers[1].Arguments);
        Assert.All(servers, one => Assert.Equal(["--A", "1"], one.Arguments.TakeLast(2)));
    }

    [Fact]
    public void Settings_of_the_scenario_come_after_those_of_the_run_and_keys_stay_in_the_environment()
    {
        var setUp = new ServerSetUp
        {
            Settings = new Dictionary<string, string> { ["Relay:Backlog"] = "4" },
            Environment = new Dictionary<string, string> { ["DOTNET_GCHeapHardLimit"] = "40000000" },
        };

        var server = Assert.Single(Of(setUp));

        Assert.Equal(["--Relay:Backlog", "4"], server.Arguments.TakeLast(2));
        Assert.Equal(["DOTNET_GCHeapHardLimit", "Sqs__AccessKey", "Sqs__SecretKey"], server.Environment!.Keys.Order());
    }

    private static IReadOnlyList<ChildCommand> Of(ServerSetUp setUp) => ArmCommands.From(
        PubSubTarget.Command(Some.Arm(Relays.PubSub), QueueTarget.Embedded, "block-queue", LocalSqs, setUp), setUp);
}
