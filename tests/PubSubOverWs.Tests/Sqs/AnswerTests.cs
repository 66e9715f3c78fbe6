using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>What the clients make of answers, also of those that SQS would not give, found by fuzzing or like what was found.</summary>
public abstract class AnswerTests(SqsClientKind client) : ClientTests(client)
{
    [Fact]
    public async Task A_message_is_read_with_its_body_unescaped()
    {
        Client.Server.Answers("""
            {"Messages":[{"Attributes":{"SenderId":"x","ApproximateReceiveCount":"3"},"Body":"say \"\u0068i\" \ud83d\ude00",
            "MessageId":"m","ReceiptHandle":"r","MD5OfBody":"6dec2a35b4a4bb4d2f0ed3b8fbd5b49c","Unknown":[1,{"a":2}]}]}
            """.Replace("6dec2a35b4a4bb4d2f0ed3b8fbd5b49c", Checksum.Compute("say \"hi\" 😀"), StringComparison.Ordinal));

        var message = Assert.Single(await Client.ReceiveAsync());

        Assert.Equal("say \"hi\" 😀", Encoding.UTF8.GetString(message.Body.Span));
        Assert.Equal(("m", "r", 3), (message.MessageId, message.ReceiptHandle, message.ApproximateReceiveCount));
        Assert.Equal(0, Client.Sqs.Traffic.EmptyReceives);
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"Messages":null}""")]
    [InlineData("""{"Messages":[]}""")]
    public async Task Nothing_to_receive_is_an_empty_list_and_counted(string answer)
    {
        Client.Server.Answers(answer);

        Assert.Empty(await Client.ReceiveAsync());

        Assert.Equal(1, Client.Sqs.Traffic.EmptyReceives);
    }

    [Fact]
    public async Task A_body_that_does_not_match_its_MD5_is_left_out_and_counted()
    {
        Client.Server.Answers($$"""
            {"Messages":[{"MessageId":"1","ReceiptHandle":"r1","Body":"changed","MD5OfBody":"{{Checksum.Compute("original")}}"},
            {"MessageId":"2","ReceiptHandle":"r2","Body":"good","MD5OfBody":"{{Checksum.Compute("good")}}"}]}
            """);

        Assert.Equal("2", Assert.Single(await Client.ReceiveAsync()).MessageId);

        Assert.Equal(1, Client.Sqs.Traffic.Corrupted);
        Assert.Equal(0, Client.Sqs.Traffic.EmptyReceives);
    }

    [Fact]
    public async Task The_request_says_how_many_how_long_to_wait_and_how_long_to_hide()
    {
        Client.Server.Answers("{}");

        await Client.Sqs.ReceiveAsync(
            TestClient.QueueUrl,
            new ReceiveRequest { MaxMessages = 3, WaitTime = TimeSpan.FromSeconds(20), Visibility = TimeSpan.FromMinutes(1) },
            CancellationToken.None);

        Assert.True(JsonNode.DeepEquals(
            JsonNode.Parse(
                """
                {"QueueUrl":"http://127.0.0.1:9324/000000000000/jobs","MaxNumberOfMessages":3,"WaitTimeSeconds":20,"VisibilityTimeout":60,
                "MessageSystemAttributeNames":["ApproximateReceiveCount"]}
                """),
            JsonNode.Parse(Client.Server.Seen[0].Body)));
    }

    [Theory]
    [InlineData("", null)]
    [InlineData(""","CreatedTimestamp":"1767323045" """, "2026-01-02T03:04:05+00:00")]
    [InlineData(""","CreatedTimestamp":"1767323045.72" """, "2026-01-02T03:04:05+00:00")]
    public async Task The_age_of_a_queue_is_known_if_the_server_reports_it(string attributes, string? created)
    {
        Client.Server.Answers("""{"Attributes":{"QueueArn":"arn" """ + attributes + "}}");

        var queue = await Client.Sqs.GetQueueAttributesAsync(TestClient.QueueUrl, CancellationToken.None);

        Assert.Equal(created is null ? null : DateTimeOffset.Parse(created, CultureInfo.InvariantCulture), queue.CreatedAt);
    }

    [Theory]
    [InlineData("""{"Successful":[{"Id":"99999999999"}]}""")]
    [InlineData("""{"Successful":[{"Id":"7"}]}""")]
    [InlineData("""{"Successful":[{"MessageId":"m"}]}""")]
    [InlineData("""{"Successful":"all"}""")]
    [InlineData("<html>")]
    [InlineData("""{"Successful":[{"Id":"7","MD5OfMessageBody":"0cc175b9c0f1b6a831c399e269772661"}]}""")]
    [InlineData("""{"Failed":[{"Id":"\ud800"}]}""")]
    [InlineData("""{"Failed":[{"Code":"x"}]}""")]
    public async Task A_bad_answer_to_a_batch_is_reported(string answer)
    {
        Client.Server.Answers(answer);

        var failure = await Assert.ThrowsAsync<QueueException>(() => Client.SendAsync("a"));

        Assert.Equal((SqsErrorCode.BadAnswer, false), (failure.Code, failure.IsRetryable));
    }

    [Theory]
    [InlineData("""{"Messages":[{"MessageId":"\ud800","ReceiptHandle":"r","Body":"b"}]}""")]
    [InlineData("""{"Messages":[{"MessageId":"m","ReceiptHandle":"r","Body":"\udfff"}]}""")]
    [InlineData("""{"Messages":[{"MessageId":"m"}]}""")]
    [InlineData("""{"Messages":[17]}""")]
    [InlineData("")]
    public async Task A_bad_answer_to_a_receive_is_reported(string answer)
    {
        Client.Server.Answers(answer);

        Assert.Equal(SqsErrorCode.BadAnswer, (await Assert.ThrowsAsync<QueueException>(() => Client.ReceiveAsync())).Code);
    }

    [Theory]
    [InlineData("ApproximateNumberOfMessages", "99999999999999999999")]
    [InlineData("VisibilityTimeout", "9223372036854775807")]
    [InlineData("CreatedTimestamp", "9223372036854775807")]
    public async Task A_bad_answer_to_a_question_for_attributes_is_reported(string attribute, string value)
    {
        Client.Server.Answers($$"""{"Attributes":{"QueueArn":"arn", "{{attribute}}":"{{value}}" } }""");

        var asked = FakeTime.Start(() => Client.Sqs.GetQueueAttributesAsync(TestClient.QueueUrl, CancellationToken.None));

        Assert.Equal(SqsErrorCode.BadAnswer, (await Assert.ThrowsAsync<QueueException>(() => asked)).Code);
    }

    [Fact]
    public async Task A_list_of_queues_whose_pages_go_round_ends()
    {
        const string page = """{"QueueUrls":["http://queue/a"],"NextToken":"again"}""";
        Client.Server.Answers(page).Answers(page);

        var listed = FakeTime.Start(() => Client.Sqs.ListQueuesAsync("", CancellationToken.None));

        Assert.Equal(SqsErrorCode.BadAnswer, (await Assert.ThrowsAsync<QueueException>(() => listed)).Code);
    }

    [Theory]
    [InlineData("""{"__type":"com.amazonaws.sqs#","message":"no"}""")]
    [InlineData("""{"__type":"\ud800","message":"\ud800"}""")]
    public async Task An_error_without_a_name_or_whose_name_is_not_text_gets_the_name_of_its_status(string answer)
    {
        Client.Server.Says(HttpStatusCode.Forbidden, answer);

        Assert.Equal("Forbidden", (await Assert.ThrowsAsync<QueueException>(() => Client.AskAsync())).Code);
    }

    public sealed class OverHttp() : AnswerTests(SqsClientKind.Http);

    public sealed class OverAwsSdk() : AnswerTests(SqsClientKind.AwsSdk);
}

public sealed class SqsClientTests
{
    [Fact]
    public void Our_own_client_is_the_default() => Assert.IsType<SqsOverHttp>(Create(new SqsOptions()));

    [Theory]
    [InlineData(SqsClientKind.Http, typeof(SqsOverHttp))]
    [InlineData(SqsClientKind.AwsSdk, typeof(SqsOverAwsSdk))]
    public void Either_client_can_be_named(SqsClientKind client, Type type) =>
        Assert.IsType(type, Create(new SqsOptions { Client = client }));

    [Theory]
    [InlineData("eu-central-1", "https://sqs.eu-central-1.amazonaws.com/")]
    [InlineData("cn-north-1", "https://sqs.cn-north-1.amazonaws.com.cn/")]
    public void Without_an_endpoint_calls_go_to_AWS_in_the_region(string region, string endpoint)
    {
        using var sqs = new SqsOverHttp(new SqsOptions { Region = region }, new FakeTime());

        Assert.Equal(endpoint, sqs.Endpoint.AbsoluteUri);
    }

    private static ISqs Create(SqsOptions options)
    {
        options.Endpoint = "http://127.0.0.1:9324";
        return SqsClient.Create(options, new FakeTime());
    }
}
