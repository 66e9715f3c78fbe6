using System.Net;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public sealed class PublishBatchTests : IDisposable
{
    private readonly TestTopicClient _client = new();

    [Theory]
    [InlineData("plain-_.~")]
    [InlineData("tab\t newline\r\n \"quoted\" back\\slash é 漢 😀 <>&' a=b&c=d %20 + \u007F \uFFFD")]
    public async Task A_text_comes_through_the_form_unchanged(string text)
    {
        _client.Answers("PublishBatch", $"<Successful>{TestTopicClient.Done(0)}</Successful>");

        await _client.PublishAsync(text);

        Assert.Equal(text, _client.Form(0)["PublishBatchRequestEntries.member.1.Message"]);
        Assert.DoesNotContain(_client.Server.Seen[0].Body, character => character is ' ' or > '~');
    }

    [Fact]
    public async Task Messages_that_failed_on_the_topics_side_and_only_these_are_sent_again()
    {
        _client
            .Answers(
                "PublishBatch",
                $"<Successful>{TestTopicClient.Done(3)}{TestTopicClient.Done(0)}</Successful><Failed>"
                    + $"{TestTopicClient.Failed(1, "InternalError", false)}{TestTopicClient.Failed(2, "InvalidParameter", true)}</Failed>")
            .Answers("PublishBatch", $"<Successful>{TestTopicClient.Done(1)}</Successful>");

        var results = await _client.PublishAsync("a", "b", "c", "d");

        var again = _client.Form(1);
        Assert.Equal(("1", "b"), (again["PublishBatchRequestEntries.member.1.Id"], again["PublishBatchRequestEntries.member.1.Message"]));
        Assert.DoesNotContain("PublishBatchRequestEntries.member.2.Id", again.Keys);
        // In the order of the messages, whatever that of the answer.
        Assert.Equal(["m0", "m1", null, "m3"], results.Select(result => result.MessageId));
        Assert.Equal(new EntryFailure(SnsErrorCode.InvalidParameter, "no", SenderFault: true), results[2].Failure);
    }

    [Theory]
    [InlineData("<html>welcome</html>")]
    [InlineData("{}")]
    [InlineData("<PublishBatchResponse><Successful><member><Id>7</Id></member></Successful></PublishBatchResponse>")]
    [InlineData("<PublishBatchResponse><Failed><member><Id>0</Id></member></Failed></PublishBatchResponse>")]
    [InlineData("<!DOCTYPE x [<!ENTITY e 'x'>]><PublishBatchResponse>&e;</PublishBatchResponse>")]
    public async Task An_answer_that_makes_no_sense_is_reported(string answer)
    {
        _client.Server.Says(HttpStatusCode.OK, answer);

        var failure = await Assert.ThrowsAsync<QueueException>(() => _client.PublishAsync("a"));

        Assert.Equal(SqsErrorCode.BadAnswer, failure.Code);
        Assert.Equal(
            "The server at http://127.0.0.1:9324/ answered PublishBatch with something that is no answer of SNS: check what listens there.",
            failure.Message);
    }

    [Fact]
    public async Task A_topic_that_does_not_exist_is_one_sentence_and_not_tried_again()
    {
        _client.Refuses(HttpStatusCode.NotFound, "NotFound", "Topic does not exist");

        var failure = await Assert.ThrowsAsync<QueueException>(() => _client.PublishAsync("a"));

        Assert.Equal(SnsErrorCode.NotFound, failure.Code);
        Assert.Equal(
            "SNS at http://127.0.0.1:9324/ refused PublishBatch with NotFound (Topic does not exist): create it, or check whether the "
                + "region is right.", failure.Message);
        Assert.Single(_client.Server.Seen);
    }

    public void Dispose() => _client.Dispose();
}
