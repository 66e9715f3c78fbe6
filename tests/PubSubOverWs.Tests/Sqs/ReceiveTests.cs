using System.Text;
using System.Text.Json.Nodes;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public abstract class ReceiveTests(SqsClientKind client) : IDisposable
{
    private readonly TestClient _client = new(client);

    [Fact]
    public async Task A_message_is_read_with_its_body_unescaped()
    {
        _client.Server.Answers("""
            {"Messages":[{"Attributes":{"SenderId":"x","ApproximateReceiveCount":"3"},"Body":"say \"\u0068i\" \ud83d\ude00",
            "MessageId":"m","ReceiptHandle":"r","MD5OfBody":"6dec2a35b4a4bb4d2f0ed3b8fbd5b49c","Unknown":[1,{"a":2}]}]}
            """.Replace("6dec2a35b4a4bb4d2f0ed3b8fbd5b49c", Checksum.Of("say \"hi\" 😀"), StringComparison.Ordinal));

        var message = Assert.Single(await _client.ReceiveAsync());

        Assert.Equal("say \"hi\" 😀", Encoding.UTF8.GetString(message.Body.Span));
        Assert.Equal(("m", "r", 3), (message.MessageId, message.ReceiptHandle, message.ApproximateReceiveCount));
        Assert.Equal(0, _client.Sqs.Traffic.EmptyReceives);
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"Messages":null}""")]
    [InlineData("""{"Messages":[]}""")]
    public async Task Nothing_to_receive_is_an_empty_list_and_counted(string answer)
    {
        _client.Server.Answers(answer);

        Assert.Empty(await _client.ReceiveAsync());

        Assert.Equal(1, _client.Sqs.Traffic.EmptyReceives);
    }

    [Fact]
    public async Task A_body_that_does_not_match_its_MD5_is_left_out_and_counted()
    {
        _client.Server.Answers($$"""
            {"Messages":[{"MessageId":"1","ReceiptHandle":"r1","Body":"changed","MD5OfBody":"{{Checksum.Of("original")}}"},
            {"MessageId":"2","ReceiptHandle":"r2","Body":"good","MD5OfBody":"{{Checksum.Of("good")}}"}]}
            """);

        Assert.Equal("2", Assert.Single(await _client.ReceiveAsync()).MessageId);

        Assert.Equal(1, _client.Sqs.Traffic.Corrupted);
        Assert.Equal(0, _client.Sqs.Traffic.EmptyReceives);
    }

    [Fact]
    public async Task The_request_says_how_many_how_long_to_wait_and_how_long_to_hide()
    {
        _client.Server.Answers("{}");

        await _client.Sqs.ReceiveMessagesAsync(
            TestClient.QueueUrl,
            new ReceiveRequest { MaxMessages = 3, WaitTime = TimeSpan.FromSeconds(20), Visibility = TimeSpan.FromMinutes(1) },
            CancellationToken.None);

        Assert.True(JsonNode.DeepEquals(
            JsonNode.Parse(
                """{"QueueUrl":"http://127.0.0.1:9324/000000000000/jobs","MaxNumberOfMessages":3,"WaitTimeSeconds":20,"""
                    + "\"VisibilityTimeout\":60"
                + ""","MessageSystemAttributeNames":["ApproximateReceiveCount"]}"""),
            JsonNode.Parse(_client.Server.Seen[0].Body)));
    }

    [Theory]
    [InlineData("""{"Messages":[{"MessageId":"m"}]}""")]
    [InlineData("""{"Messages":[17]}""")]
    [InlineData("")]
    public async Task An_answer_that_makes_no_sense_is_reported(string answer)
    {
        _client.Server.Answers(answer);

        Assert.Equal(SqsErrorCode.BadAnswer, (await Assert.ThrowsAsync<SqsException>(() => _client.ReceiveAsync())).Code);
    }

    public void Dispose()
    {
        _client.Dispose();
        GC.SuppressFinalize(this);
    }

    public sealed class OverHttp() : ReceiveTests(SqsClientKind.Http);

    public sealed class OverAwsSdk() : ReceiveTests(SqsClientKind.AwsSdk);
}
