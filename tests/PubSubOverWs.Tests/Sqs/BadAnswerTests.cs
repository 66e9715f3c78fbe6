using System.Net;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>Answers that SQS would not give, found by fuzzing or like what was found.</summary>
public abstract class BadAnswerTests(SqsClientKind client) : IDisposable
{
    private readonly TestClient _client = new(client);

    [Theory]
    [InlineData("""{"Successful":[{"Id":"99999999999"}]}""")]
    [InlineData("""{"Successful":[{"Id":"7"}]}""")]
    [InlineData("""{"Successful":[{"Id":"7","MD5OfMessageBody":"0cc175b9c0f1b6a831c399e269772661"}]}""")]
    [InlineData("""{"Failed":[{"Id":"\ud800"}]}""")]
    [InlineData("""{"Failed":[{"Code":"x"}]}""")]
    public async Task A_bad_answer_to_a_batch_is_reported(string answer)
    {
        _client.Server.Answers(answer);

        Assert.Equal(SqsErrorCode.BadAnswer, (await Assert.ThrowsAsync<SqsException>(() => _client.SendAsync("a"))).Code);
    }

    [Theory]
    [InlineData("""{"Messages":[{"MessageId":"\ud800","ReceiptHandle":"r","Body":"b"}]}""")]
    [InlineData("""{"Messages":[{"MessageId":"m","ReceiptHandle":"r","Body":"\udfff"}]}""")]
    public async Task A_bad_answer_to_a_receive_is_reported(string answer)
    {
        _client.Server.Answers(answer);

        Assert.Equal(SqsErrorCode.BadAnswer, (await Assert.ThrowsAsync<SqsException>(() => _client.ReceiveAsync())).Code);
    }

    [Theory]
    [InlineData("ApproximateNumberOfMessages", "99999999999999999999")]
    [InlineData("VisibilityTimeout", "9223372036854775807")]
    [InlineData("CreatedTimestamp", "9223372036854775807")]
    public async Task A_bad_answer_to_a_question_for_attributes_is_reported(string attribute, string value)
    {
        _client.Server.Answers($$"""{"Attributes":{"QueueArn":"arn", "{{attribute}}":"{{value}}" } }""");

        var asked = FakeTime.Start(() => _client.Sqs.GetQueueAttributesAsync(TestClient.QueueUrl, CancellationToken.None));

        Assert.Equal(SqsErrorCode.BadAnswer, (await Assert.ThrowsAsync<SqsException>(() => asked)).Code);
    }

    [Fact]
    public async Task A_list_of_queues_whose_pages_go_round_ends()
    {
        const string page = """{"QueueUrls":["http://queue/a"],"NextToken":"again"}""";
        _client.Server.Answers(page).Answers(page);

        var listed = FakeTime.Start(() => _client.Sqs.ListQueuesAsync("", CancellationToken.None));

        Assert.Equal(SqsErrorCode.BadAnswer, (await Assert.ThrowsAsync<SqsException>(() => listed)).Code);
    }

    [Fact]
    public async Task An_error_without_a_name_gets_the_name_of_its_status()
    {
        _client.Server.Refuses(HttpStatusCode.Forbidden, "");

        Assert.Equal("Forbidden", (await Assert.ThrowsAsync<SqsException>(() => _client.AskAsync())).Code);
    }

    [Fact]
    public async Task An_error_whose_name_is_not_text_gets_the_name_of_its_status()
    {
        _client.Server.Says(HttpStatusCode.Forbidden, """{"__type":"\ud800","message":"\ud800"}""");

        Assert.Equal("Forbidden", (await Assert.ThrowsAsync<SqsException>(() => _client.AskAsync())).Code);
    }

    public void Dispose()
    {
        _client.Dispose();
        GC.SuppressFinalize(this);
    }

    public sealed class OverHttp() : BadAnswerTests(SqsClientKind.Http);

    public sealed class OverAwsSdk() : BadAnswerTests(SqsClientKind.AwsSdk);
}
