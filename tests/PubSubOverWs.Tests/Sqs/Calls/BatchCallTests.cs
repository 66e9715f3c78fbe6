using System.Net;
using System.Text;
using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public abstract class BatchCallTests(SqsClientKind client) : IDisposable
{
    private readonly TestClient _client = new(client, options => options.MaxAttempts = 3);

    [Fact]
    public async Task Results_stand_in_the_order_of_the_entries_whatever_the_order_of_the_answer()
    {
        _client.Server.Answers($$"""{"Successful":[{{Sent(1, "b")}},{{Sent(0, "a")}}]}""");

        var results = await _client.SendAsync("a", "b");

        Assert.Equal(["m0", "m1"], results.Select(result => result.MessageId));
        Assert.All(results, result => Assert.True(result.Succeeded));
    }

    [Fact]
    public async Task Entries_that_failed_on_the_queues_side_and_only_these_are_sent_again()
    {
        _client.Server
            .Answers($$"""
                {"Successful":[{{Sent(0, "a")}}],
                "Failed":[{{Failed(1, "InternalError", false)}},{{Failed(2, "InvalidMessageContents", true)}}]}
                """)
            .Answers($$"""{"Successful":[{{Sent(1, "b")}}]}""");

        var results = await _client.OutlastAsync(_client.SendAsync("a", "b", "c"));

        Assert.Equal(["b"], Bodies(_client.Server.Seen[1]));
        Assert.Equal(["m0", "m1", null], results.Select(result => result.MessageId));
        Assert.Equal(new EntryFailure("InvalidMessageContents", "no", SenderFault: true), results[2].Failure);
    }

    [Theory]
    [InlineData("RequestThrottled")]
    [InlineData("AWS.SimpleQueueService.RequestThrottled")]
    [InlineData("KMS.ThrottlingException")]
    public async Task Entries_that_were_throttled_are_sent_again_though_the_queue_calls_it_the_senders_fault(string code)
    {
        _client.Server.Answers($$"""{"Failed":[{{Failed(0, code, true)}}]}""").Answers($$"""{"Successful":[{{Sent(0, "a")}}]}""");

        var results = await _client.OutlastAsync(_client.SendAsync("a"));

        Assert.True(Assert.Single(results).Succeeded);
    }

    [Fact]
    public async Task An_entry_that_fails_until_the_attempts_are_used_up_is_reported()
    {
        for (var attempt = 0; attempt < 3; attempt++)
            _client.Server.Answers($$"""{"Failed":[{{Failed(0, "InternalError", false)}}]}""");

        var results = await _client.OutlastAsync(_client.SendAsync("a"));

        Assert.Equal("InternalError", Assert.Single(results).Failure?.Code);
        Assert.Equal(3, _client.Server.Seen.Count);
    }

    [Fact]
    public async Task If_the_call_for_the_remaining_entries_fails_the_results_of_the_others_are_kept()
    {
        _client.Server
            .Answers($$"""{"Successful":[{{Sent(0, "a")}}],"Failed":[{{Failed(1, "InternalError", false)}}]}""")
            .Refuses(HttpStatusCode.BadRequest, "QueueDoesNotExist");

        var results = await _client.OutlastAsync(_client.SendAsync("a", "b"));

        Assert.True(results[0].Succeeded);
        Assert.Equal("InternalError", results[1].Failure?.Code);
    }

    [Fact]
    public async Task The_prefix_of_older_codes_is_left_out()
    {
        _client.Server.Answers($$"""{"Failed":[{{Failed(0, "AWS.SimpleQueueService.MessageNotInflight", true)}}]}""");

        var results = await _client.Sqs.ChangeMessageVisibilityBatchAsync(
            TestClient.QueueUrl, [new VisibilityEntry("r", TimeSpan.FromSeconds(90))], CancellationToken.None);

        Assert.Equal(SqsErrorCode.MessageNotInflight, results[0].Failure?.Code);
        Assert.Contains("\"VisibilityTimeout\":90", _client.Server.Seen[0].Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_body_that_arrived_changed_is_a_failure_and_not_sent_again()
    {
        _client.Server.Answers($$"""{"Successful":[{{Sent(0, "something else")}}]}""");

        var results = await _client.SendAsync("a");

        Assert.Equal(SqsErrorCode.Md5Mismatch, results[0].Failure?.Code);
        Assert.Single(_client.Server.Seen);
    }

    [Theory]
    [InlineData("""{"Successful":[{"Id":"7","MessageId":"m"}]}""")]
    [InlineData("""{"Successful":[{"MessageId":"m"}]}""")]
    [InlineData("""{"Successful":"all"}""")]
    [InlineData("<html>")]
    public async Task An_answer_that_makes_no_sense_is_reported(string answer)
    {
        _client.Server.Answers(answer);

        var failure = await Assert.ThrowsAsync<SqsException>(() => _client.SendAsync("a"));

        Assert.Equal(SqsErrorCode.BadAnswer, failure.Code);
        Assert.False(failure.IsRetryable);
    }

    [Fact]
    public async Task An_entry_that_no_answer_names_is_a_failure()
    {
        for (var attempt = 0; attempt < 3; attempt++)
            _client.Server.Answers("{}");

        Assert.Equal(SqsErrorCode.BadAnswer, (await _client.OutlastAsync(_client.SendAsync("a")))[0].Failure?.Code);
    }

    [Fact]
    public async Task Bodies_and_delays_come_through_JSON_unchanged()
    {
        var body = "tab\t \"quotes\" back\\slash \u007F é 漢 😀 <>&'+";
        _client.Server.Answers($$"""{"Successful":[{"Id":"0","MessageId":"m"}]}""");

        await _client.Sqs.SendMessageBatchAsync(
            TestClient.QueueUrl, [new SendEntry(Encoding.UTF8.GetBytes(body), TimeSpan.FromSeconds(7))], CancellationToken.None);

        Assert.Equal([body], Bodies(_client.Server.Seen[0]));
        Assert.Contains("\"DelaySeconds\":7", _client.Server.Seen[0].Body, StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _client.Dispose();
        GC.SuppressFinalize(this);
    }

    public sealed class OverHttp() : BatchCallTests(SqsClientKind.Http);

    public sealed class OverAwsSdk() : BatchCallTests(SqsClientKind.AwsSdk);

    private static string Sent(int index, string body) =>
        $$"""{"Id":"{{index}}","MessageId":"m{{index}}","MD5OfMessageBody":"{{Checksum.Of(body)}}"}""";

    private static string Failed(int index, string code, bool senderFault) =>
        $$"""{"Id":"{{index}}","Code":"{{code}}","Message":"no","SenderFault":{{(senderFault ? "true" : "false")}}}""";

    private static string[] Bodies(SeenRequest request) =>
        [.. JsonDocument.Parse(request.Body).RootElement.GetProperty("Entries").EnumerateArray()
            .Select(entry => entry.GetProperty("MessageBody").GetString()!)];
}
