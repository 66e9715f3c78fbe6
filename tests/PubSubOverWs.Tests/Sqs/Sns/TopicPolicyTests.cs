using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public sealed class TopicPolicyTests
{
    [Fact]
    public void A_policy_lets_the_one_topic_send_to_the_one_queue()
    {
        using var policy = JsonDocument.Parse(TopicPolicy.Allow(TestTopicClient.QueueArn, TestTopicClient.TopicArn));

        Assert.Equal("2012-10-17", policy.RootElement.GetProperty("Version").GetString());
        var statement = Assert.Single(policy.RootElement.GetProperty("Statement").EnumerateArray());
        Assert.Equal("Allow", statement.GetProperty("Effect").GetString());
        Assert.Equal("sns.amazonaws.com", statement.GetProperty("Principal").GetProperty("Service").GetString());
        Assert.Equal("sqs:SendMessage", statement.GetProperty("Action").GetString());
        Assert.Equal(TestTopicClient.QueueArn, statement.GetProperty("Resource").GetString());
        Assert.Equal(
            TestTopicClient.TopicArn, statement.GetProperty("Condition").GetProperty("ArnEquals").GetProperty("aws:SourceArn").GetString());
    }

    [Fact]
    public async Task A_queue_is_created_with_a_policy_and_it_is_read_from_it_as_text()
    {
        using var client = new TestClient(SqsClientKind.Http);
        var policy = TopicPolicy.Allow(TestTopicClient.QueueArn, TestTopicClient.TopicArn);
        client.Server.Answers("""{"QueueUrl":"url"}""")
            .Answers(JsonSerializer.Serialize(new { Attributes = new { QueueArn = "arn", Policy = policy } }));

        await client.Sqs.CreateQueueAsync("jobs", new QueueSettings { Policy = policy }, CancellationToken.None);

        using var request = JsonDocument.Parse(client.Server.Seen[0].Body);
        Assert.Equal(policy, request.RootElement.GetProperty("Attributes").GetProperty("Policy").GetString());
        Assert.Equal(policy, (await client.Sqs.GetQueueAttributesAsync(TestClient.QueueUrl, CancellationToken.None)).Settings.Policy);
    }
}
