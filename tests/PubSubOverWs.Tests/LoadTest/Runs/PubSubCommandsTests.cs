using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Runs;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.Tests.LoadTest.Runs;

public sealed class PubSubCommandsTests
{
    private static readonly Uri LocalSqs = new("http://127.0.0.1:40001/");

    [Fact]
    public void One_server_is_alone_with_its_queue_whatever_the_environment_says()
    {
        var server = Assert.Single(Of(1));

        Assert.Equal("pubsub", server.Name);
        Assert.Equal(["--Sqs:Nodes:Enabled", "false"], server.Arguments.TakeLast(2));
    }

    [Fact]
    public void Several_are_nodes_with_one_queue_and_names_of_their_own()
    {
        var servers = Of(3);

        Assert.Equal(["pubsub-1", "pubsub-2", "pubsub-3"], servers.Select(one => one.Name));
        Assert.All(servers, one => Assert.Equal(servers[0].Arguments, one.Arguments));
        Assert.Equal(["--Sqs:Nodes:Enabled", "true"], servers[0].Arguments.TakeLast(2));
        Assert.Contains("block-queue", servers[0].Arguments);
    }

    private static IReadOnlyList<ChildCommand> Of(int nodes) =>
        PubSubCommands.Of(Arms.PubSub, nodes, QueueTarget.Embedded, "block-queue", LocalSqs);
}
