using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class QueueUrlsTests
{
    private readonly FakeSqs _sqs = new(new FakeTime());

    [Fact]
    public async Task Queues_that_are_missing_are_created_with_a_dead_letter_queue()
    {
        var urls = await QueueUrls.OpenAsync(_sqs, "q", CancellationToken.None);
        Assert.Equal(new QueueUrls("q", "http://queue/q", "http://queue/q-dead", "http://queue/q-parked"), urls);
        Assert.Equal(1_048_576, _sqs.Created["q"].MaximumMessageSize);
        Assert.Equal(1_048_576, _sqs.Created["q-dead"].MaximumMessageSize);
        Assert.Equal(new RedrivePolicy("arn:http://queue/q-dead", 1_000), _sqs.Created["q"].RedrivePolicy);
        // However often a message is received there, it is moved nowhere.
        Assert.Null(_sqs.Created["q-parked"].RedrivePolicy);
    }

    [Fact]
    public async Task Queues_that_exist_are_used_as_they_are()
    {
        await QueueUrls.OpenAsync(_sqs, "q", CancellationToken.None);
        Assert.Equal("http://queue/q", (await QueueUrls.OpenAsync(_sqs, "q", CancellationToken.None)).Url);
        Assert.Equal(3, _sqs.Created.Count);
    }
}
