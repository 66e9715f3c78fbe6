using System.Net;
using System.Text.Json;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public abstract class BatchCallTests(SqsClientKind client)
    : ClientTests(client, options => options.MaxAttempts = 3)
{
    [Fact]
    public async Task Entries_that_failed_on_the_queues_side_and_only_these_are_sent_again()
    {
        Client.Server
            .Answers($$"""
                {"Successful":[{{Sent(3, "d")}},{{Sent(0, "a")}}],
                "Failed":[{{Failed(1, "InternalError", false)}},{{Failed(2, "InvalidMessageContents", true)}}]}
                """)
            .Answers($$"""{"Successful":[{{Sent(1, "b")}}]}""");

        var results = await Client.OutlastAsync(Client.SendAsync("a", "b", "c", "d"));

        Assert.Equal(["b"], Bodies(Client.Server.Seen[1]));
        // In the order of the entries, whatever that of the answer.
        Assert.Equal(["m0", "m1", null, "m3"], results.Select(result => result.MessageId));
        Assert.Equal(new EntryFailure("InvalidMessageContents", "no", SenderFault: true), results[2].Failure);
    }

    [Theory]
    [InlineData("RequestThrottled")]
    [InlineData("AWS.SimpleQueueService.RequestThrottled")]
    [InlineData("KMS.ThrottlingException")]
    public async Task Entries_that_were_throttled_are_sent_again_though_the_queue_calls_it_the_senders_fault(string code)
    {
        Client.Server.Answers($$"""{"Failed":[{{Failed(0, code, true)}}]}""").Answers($$"""{"Successful":[{{Sent(0, "a")}}]}""");

        var results = await Client.OutlastAsync(Client.SendAsync("a"));

        Assert.True(Assert.Single(results).Succeeded);
    }

    [Fact]
    public async Task An_entry_that_fails_until_the_attempts_are_used_up_is_reported()
    {
        for (var attempt = 0; attempt < 3; attempt++)
            Client.Server.Answers($$"""{"Failed":[{{Failed(0, "InternalError", false)}}]}""");

        var results = await Client.OutlastAsync(Client.SendAsync("a"));

        Assert.Equal("InternalError", Assert.Single(results).Failure?.Code);
        Assert.Equal(3, Client.Server.Seen.Count);
    }

    [Fact]
    public async Task If_the_call_for_the_remaining_entries_fails_the_results_of_the_others_are_kept()
    {
        Client.Server
            .Answers($$"""{"Successful":[{{Sent(0, "a")}}],"Failed":[{{Failed(1, "InternalError", false)}}]}""")
            .Refuses(HttpStatusCode.BadRequest, "QueueDoesNotExist");

        var results = await Client.OutlastAsync(Client.SendAsync("a", "b"));

        Assert.True(results[0].Succeeded);
        Assert.Equal("InternalError", results[1].Failure?.Code);
    }

    [Fact]
    public async Task The_prefix_of_older_codes_is_left_out()
    {
        Client.Server.Answers($$"""{"Failed":[{{Failed(0, "AWS.SimpleQueueService.MessageNotInflight", true)}}]}""");

        var results = await Client.Sqs.HoldAsync(
            TestClient.QueueUrl, [new HoldEntry("r", TimeSpan.FromSeconds(90))], CancellationToken.None);

        Assert.Equal(SqsErrorCode.MessageNotInflight, results[0].Failure?.Code);
        Assert.Contains("\"VisibilityTimeout\":90", Client.Server.Seen[0].Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_body_that_arrived_changed_is_a_failure_and_not_sent_again()
    {
        Client.Server.Answers($$"""{"Successful":[{{Sent(0, "something else")}}]}""");

        var results = await Client.SendAsync("a");

        Assert.Equal(SqsErrorCode.Md5Mismatch, results[0].Failure?.Code);
        Assert.Single(Client.Server.Seen);
    }

    [Fact]
    public async Task An_entry_that_no_answer_names_is_a_failure()
    {
        for (var attempt = 0; attempt < 3; attempt++)
            Client.Server.Answers("{}");

        Assert.Equal(SqsErrorCode.BadAnswer, (await Client.OutlastAsync(Client.SendAsync("a")))[0].Failure?.Code);
    }

    [Fact]
    public async Task Calls_are_counted_by_their_kind()
    {
        for (var call = 0; call < 4; call++)
            Client.Server.Answers("""{"Successful":[{"Id":"0","MessageId":"m"}],"Attributes":{"QueueArn":"arn"}}""");

        await Client.SendAsync("a");
        await Client.Sqs.SettleAsync(TestClient.QueueUrl, ["r"], CancellationToken.None);
        await Client.Sqs.HoldAsync(TestClient.QueueUrl, [new("r", TimeSpan.Zero)], CancellationToken.None);
        await Client.Sqs.GetQueueAttributesAsync(TestClient.QueueUrl, CancellationToken.None);

        foreach (var kind in Enum.GetValues<QueueCall>().Except([QueueCall.Receive]))
        {
            Assert.Equal(1, Client.Sqs.Traffic.Calls(kind));
            Assert.NotEqual(0, Client.Sqs.Traffic.BytesOut(kind));
        }
    }

    public sealed class OverHttp() : BatchCallTests(SqsClientKind.Http);

    public sealed class OverAwsSdk() : BatchCallTests(SqsClientKind.AwsSdk);

    private static string Sent(int index, string body) =>
        $$"""{"Id":"{{index}}","MessageId":"m{{index}}","MD5OfMessageBody":"{{Checksum.Compute(body)}}"}""";

    private static string Failed(int index, string code, bool senderFault) =>
        $$"""{"Id":"{{index}}","Code":"{{code}}","Message":"no","SenderFault":{{(senderFault ? "true" : "false")}}}""";

    private static string[] Bodies(SeenRequest request) =>
        [.. JsonDocument.Parse(request.Body).RootElement.GetProperty("Entries").EnumerateArray()
            .Select(entry => entry.GetProperty("MessageBody").GetString()!)];
}
