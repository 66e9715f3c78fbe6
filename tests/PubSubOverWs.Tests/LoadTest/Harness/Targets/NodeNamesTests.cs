using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

/// <summary>The names that the servers give their queues are compared with those that the load runner looks for.</summary>
public sealed class NodeNamesTests : IAsyncLifetime
{
    private readonly LocalSqsHost _host = new();

    public Task InitializeAsync() => _host.InitializeAsync();

    [Fact]
    public async Task Names_are_those_that_a_node_makes()
    {
        var queues = await NodeQueues.OpenAsync(_host.Sqs, _host.Sns, "q", "abcdef", CancellationToken.None);

        Assert.StartsWith(NodeNames.Prefix("q"), queues.Own.Name, StringComparison.Ordinal);
        Assert.Equal(NodeNames.In(queues.Own.TopicArn), NodeNames.TopicOf(queues.Own.Name));
        Assert.Equal("q", NodeNames.In(queues.Own.TopicArn));
        Assert.Null(NodeNames.TopicOf(queues.Control.Name));
        Assert.Equal((queues.Own.Name, queues.Own.Name), (NodeNames.In(queues.Own.Url), NodeNames.In(queues.Own.Arn)));
    }

    [Theory]
    [InlineData("q")]
    [InlineData("q-dead")]
    [InlineData("q-control")]
    public void No_topic_feeds_a_queue_that_does_not_belong_to_a_node(string queue) => Assert.Null(NodeNames.TopicOf(queue));

    public Task DisposeAsync() => _host.DisposeAsync();
}
