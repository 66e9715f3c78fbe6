using System.Net;
using System.Text.Json;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public sealed class SnsOverHttpTests : IDisposable
{
    private readonly TestTopicClient _client = new();

    [Fact]
    public async Task A_queue_is_subscribed_raw()
    {
        _client.Answers("Subscribe", "<SubscriptionArn>s</SubscriptionArn>");

        Assert.Equal(
            "s", await _client.Sns.SubscribeQueueAsync(TestTopicClient.TopicArn, TestTopicClient.QueueArn, CancellationToken.None));

        var form = _client.Form(0);
        Assert.Equal((TestTopicClient.TopicArn, "sqs", TestTopicClient.QueueArn), (form["TopicArn"], form["Protocol"], form["Endpoint"]));
        Assert.Equal(("RawMessageDelivery", "true"), (form["Attributes.entry.1.key"], form["Attributes.entry.1.value"]));
    }

    [Fact]
    public async Task Subscriptions_are_read_across_pages_and_those_other_than_of_queues_are_left_out()
    {
        _client
            .Answers("ListSubscriptionsByTopic",
                $"<Subscriptions>{Member("arn:1", "sqs", "q1")}{Member("arn:2", "email", "e")}</Subscriptions><NextToken>t+1</NextToken>")
            .Answers("ListSubscriptionsByTopic",
                $"<Subscriptions>{Member("PendingConfirmation", "sqs", "q2")}{Member("arn:3", "sqs", "q3")}</Subscriptions>");

        var listed = await _client.Sns.ListSubscriptionsAsync(TestTopicClient.TopicArn, CancellationToken.None);

        Assert.Equal([new TopicSubscription("arn:1", "q1"), new TopicSubscription("arn:3", "q3")], listed);
        Assert.Equal("t+1", _client.Form(1)["NextToken"]);

        static string Member(string arn, string protocol, string endpoint) =>
            $"<member><SubscriptionArn>{arn}</SubscriptionArn><Protocol>{protocol}</Protocol><Endpoint>{endpoint}</Endpoint></member>";
    }

    [Fact]
    public async Task Topics_are_chosen_by_the_start_of_their_name()
    {
        _client.Answers("ListTopics", $"<Topics>{Member("run-1")}{Member("other-run-1")}{Member("run-2")}</Topics>");

        var listed = await _client.Sns.ListTopicsAsync("run-", CancellationToken.None);

        Assert.Equal(["arn:aws:sns:eu-central-1:0:run-1", "arn:aws:sns:eu-central-1:0:run-2"], listed);

        static string Member(string name) => $"<member><TopicArn>arn:aws:sns:eu-central-1:0:{name}</TopicArn></member>";
    }

    [Theory]
    [InlineData("Unsubscribe", "SubscriptionArn")]
    [InlineData("DeleteTopic", "TopicArn")]
    public async Task An_action_without_a_result_accepts_an_empty_answer(string action, string parameter)
    {
        _client.Answers(action, "");

        await (action == "DeleteTopic"
            ? _client.Sns.DeleteTopicAsync("arn", CancellationToken.None)
            : _client.Sns.UnsubscribeAsync("arn", CancellationToken.None));

        Assert.Equal($"Action={action}&Version=2010-03-31&{parameter}=arn", _client.Server.Seen[0].Body);
    }

    [Fact]
    public async Task A_request_is_signed_for_SNS_as_an_independent_implementation_signs_it()
    {
        _client.Answers("PublishBatch", $"<Successful>{TestTopicClient.Done(0)}</Successful>");

        await _client.PublishAsync("smörgåsbord \"quoted\"");

        var request = _client.Server.Seen[0];
        Assert.Equal("application/x-www-form-urlencoded", request.Headers["content-type"]);
        Assert.False(request.Headers.ContainsKey("x-amz-target"));
        Assert.Equal(
            request.Authorize("content-type;host;x-amz-date", service: "sns"),
            request.Headers["authorization"]);
    }

    [Fact]
    public async Task A_session_token_is_sent_and_signed()
    {
        using var client = new TestTopicClient(options => options.SessionToken = "token");
        client.Answers("CreateTopic", "<TopicArn>arn</TopicArn>");

        await client.Sns.CreateTopicAsync("prices", CancellationToken.None);

        var request = client.Server.Seen[0];
        Assert.Equal(
            request.Authorize("content-type;host;x-amz-date;x-amz-security-token", service: "sns"),
            request.Headers["authorization"]);
    }

    [Fact]
    public async Task Publishes_count_as_sends_and_the_rest_as_other_calls()
    {
        _client.Answers("CreateTopic", "<TopicArn>arn</TopicArn>")
            .Answers("PublishBatch", $"<Successful>{TestTopicClient.Done(0)}</Successful>");

        await _client.Sns.CreateTopicAsync("prices", CancellationToken.None);
        await _client.PublishAsync("x");

        Assert.Equal((1, 1), (_client.Traffic.Calls(QueueCall.Send), _client.Traffic.Calls(QueueCall.Other)));
        Assert.True(_client.Traffic.BytesOut(QueueCall.Send) > _client.Server.Seen[1].Body.Length);
        Assert.True(_client.Traffic.BytesIn > 0);
        Assert.Same(_client.Traffic, _client.Sns.Traffic);
    }

    [Theory]
    [InlineData(HttpStatusCode.InternalServerError, "InternalError")]
    [InlineData((HttpStatusCode)429, "Throttled")]
    [InlineData(HttpStatusCode.BadRequest, "Throttling")]
    public async Task Server_errors_and_throttling_are_tried_again(HttpStatusCode status, string code)
    {
        _client.Refuses(status, code, "later").Answers("CreateTopic", "<TopicArn>arn</TopicArn>");

        Assert.Equal("arn", await _client.Sns.CreateTopicAsync("prices", CancellationToken.None));
    }

    [Theory]
    [InlineData("eu-central-1", "https://sns.eu-central-1.amazonaws.com/")]
    [InlineData("cn-north-1", "https://sns.cn-north-1.amazonaws.com.cn/")]
    public void Without_an_endpoint_calls_go_to_AWS_in_the_region(string region, string endpoint)
    {
        using var client = new TestTopicClient(options => (options.Endpoint, options.Region) = ("", region));

        Assert.Equal(endpoint, client.Sns.Endpoint.AbsoluteUri);
    }

    [Fact]
    public void SNS_may_be_elsewhere_than_the_queue()
    {
        using var client = new TestTopicClient(options => options.SnsEndpoint = "http://127.0.0.1:9325");

        Assert.Equal("http://127.0.0.1:9325/", client.Sns.Endpoint.AbsoluteUri);
    }

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

    public void Dispose() => _client.Dispose();
}
