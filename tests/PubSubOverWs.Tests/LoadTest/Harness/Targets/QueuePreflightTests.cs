using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class QueuePreflightTests
{
    private const string OnAws = """{"server":"pubsub","queue":{"name":"q","url":"https://sqs.eu-west-1.amazonaws.com/123456789012/q"}}""";

    private static readonly Uri Server = new("http://10.0.0.1:5000");

    [Fact]
    public void A_server_that_uses_AWS_is_refused_unless_the_user_said_so()
    {
        var refused = Assert.Throws<RefusalException>(() => QueuePreflight.CheckServer(Server, OnAws, QueueTarget.Embedded));

        Assert.Equal(
            "The server at http://10.0.0.1:5000/ uses Amazon SQS (sqs.eu-west-1.amazonaws.com), which costs money: use --sqs aws and "
                + "--region; the run first shows the cost.",
            refused.Message);
        QueuePreflight.CheckServer(Server, OnAws, new AwsTarget("eu-west-1"));
    }

    [Theory]
    [InlineData("""{"server":"direct","queue":null}""")]
    [InlineData("""{"server":"pubsub","queue":{"name":"q","url":"http://127.0.0.1:9324/000000000000/q"}}""")]
    public void Any_other_server_may_be_measured(string stats) => QueuePreflight.CheckServer(Server, stats, QueueTarget.Embedded);
}
