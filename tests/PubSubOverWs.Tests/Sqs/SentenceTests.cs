using System.Net;
using System.Net.Sockets;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>The sentence that a user reads when a call to the queue fails: what happened, where, and what to do.</summary>
public abstract class SentenceTests(SqsClientKind client)
    : ClientTests(client, options => options.MaxAttempts = 1)
{
    [Theory]
    [InlineData(SocketError.ConnectionRefused, "start it, or name another in Sqs:Endpoint")]
    [InlineData(SocketError.TooManyOpenSockets, "this process has no descriptors left, so raise its limit (ulimit -n)")]
    public async Task A_failed_connection_is_reported_as_unreachable(SocketError error, string advice)
    {
        Client.Server.Fails(new HttpRequestException("x", new SocketException((int)error)));

        await ReadsAsync($"The queue at http://127.0.0.1:9324/ cannot be reached ({error}): {advice}.");
    }

    [Fact]
    public async Task A_connection_attempt_without_an_answer_is_reported_as_unreachable()
    {
        Client.Server.Fails(new TaskCanceledException("connect", new TimeoutException()));

        await ReadsAsync(
            "The queue at http://127.0.0.1:9324/ cannot be reached (no connection in time): start it, or name another in Sqs:Endpoint.");
    }

    [Theory]
    [InlineData(
        403, "AccessDenied",
        "User: arn:aws:iam::1:user/x is not authorized to perform: sqs:sendmessage on resource: arn:aws:sqs:eu-central-1:1:jobs because "
            + "no identity-based policy allows it",
        "allow the credentials this operation on this queue")]
    [InlineData(
        403, "InvalidClientTokenId", "The security token included in the request is invalid", "check whether the access key is right")]
    [InlineData(400, "QueueDoesNotExist", "The specified queue does not exist", "create it, or check whether the region is right")]
    [InlineData(403, "ExpiredTokenException", "The security token included in the request is expired", "renew the session token")]
    [InlineData(403, "ExpiredToken", "The security token included in the request is expired", "renew the session token")]
    [InlineData(
        403, "SignatureDoesNotMatch", "Credential should be scoped to a valid region, not 'us-east-1'",
        "set Sqs:Region to the region of this queue")]
    [InlineData(
        403, "InvalidSignatureException", "The request signature we calculated does not match the signature you provided",
        "check whether the secret key and the region are right")]
    [InlineData(
        403, "InvalidSignatureException",
        "Signature expired: 20260101T000000Z is now earlier than 20260101T004500Z (20260101T010000Z - 15 min.)",
        "set this machine's clock")]
    [InlineData(400, "RequestThrottled", "Rate exceeded", "it throttles calls for now, so make fewer, or have its limit raised")]
    [InlineData(400, "KmsThrottled", "Rate exceeded", "it throttles calls for now, so make fewer, or have its limit raised")]
    [InlineData(400, "KmsAccessDenied", "No", "allow the credentials to use the queue's KMS key")]
    [InlineData(503, "ServiceUnavailable", "Service is unable to handle request", "the fault is on its side, so check its state, or wait")]
    public async Task A_refusal_is_reported_with_advice(int status, string code, string said, string advice)
    {
        Client.Server.Refuses((HttpStatusCode)status, code, said + ". ");

        await ReadsAsync($"The queue at http://127.0.0.1:9324/ refused GetQueueUrl with {code} ({said}): {advice}.");
    }

    [Theory]
    [InlineData(60, "Signature expired: x is now earlier than y", "which is 1 h 0 min behind the queue's")]
    [InlineData(-16, "Signature not yet current: x is still later than y", "which is 16 min ahead of the queue's")]
    [InlineData(-4, "Signature not yet current: x is still later than y", null)]
    public async Task A_wrong_clock_is_reported_with_its_difference(int minutes, string said, string? howWrong)
    {
        Client.Server.Refuses(
            HttpStatusCode.Forbidden, "InvalidSignatureException", said, date: Client.Time.GetUtcNow().AddMinutes(minutes));

        await ReadsAsync(
            $"The queue at http://127.0.0.1:9324/ refused GetQueueUrl with InvalidSignatureException ({said}): "
            + $"set this machine's clock{(howWrong is null ? "" : $", {howWrong}")}.");
    }

    [Fact]
    public async Task An_unknown_region_is_reported_with_advice()
    {
        using var other = new TestClient(Kind, options =>
        {
            options.MaxAttempts = 1;
            options.Endpoint = null;
            options.Region = "eu-cntral-1";
        });
        other.Server.Fails(new HttpRequestException(HttpRequestError.NameResolutionError));

        Assert.Equal(
            "The queue at https://sqs.eu-cntral-1.amazonaws.com/ cannot be reached (its name is unknown): check whether Sqs:Region is "
                + "right and this machine has a network.",
            (await Assert.ThrowsAsync<QueueException>(other.AskAsync)).Message);
    }

    [Fact]
    public async Task Another_server_that_refuses_the_call_is_reported()
    {
        Client.Server.Says(HttpStatusCode.NotFound, "<html>nothing here</html>");

        await ReadsAsync("The queue at http://127.0.0.1:9324/ refused GetQueueUrl with NotFound: check what listens there.");
    }

    [Fact]
    public async Task An_answer_that_is_not_one_of_SQS_is_reported()
    {
        Client.Server.Says(HttpStatusCode.OK, "<html>welcome</html>");

        await ReadsAsync(
            "The server at http://127.0.0.1:9324/ answered GetQueueUrl with something that is no answer of SQS: check what listens there.");
    }

    [Fact]
    public void An_endpoint_that_is_not_a_URL_is_reported()
    {
        var failure = Assert.Throws<QueueException>(() => new TestClient(Kind, options => options.Endpoint = "127.0.0.1:9324"));

        Assert.Equal(
            "Sqs:Endpoint '127.0.0.1:9324' is not the URL of a queue server: write it like http://127.0.0.1:9324.", failure.Message);
    }

    [Theory]
    [InlineData("http://key:word@127.0.0.1:9324")]
    [InlineData("http://word@127.0.0.1:9324")]
    [InlineData("http://key:wo rd@127.0.0.1:port")]
    [InlineData("http://127.0.0.1:9324?token=word")]
    public void An_endpoint_that_may_hold_a_secret_is_not_repeated(string endpoint)
    {
        var failure = Assert.Throws<QueueException>(() => new TestClient(Kind, options => options.Endpoint = endpoint));

        Assert.Equal(
            "Sqs:Endpoint has a user, a password or a query in it, which is not repeated here: write the address alone, like "
                + "http://127.0.0.1:9324, and keys as Sqs:AccessKey and Sqs:SecretKey.",
            failure.Message);
    }

    public sealed class OverHttp() : SentenceTests(SqsClientKind.Http);

    public sealed class OverAwsSdk() : SentenceTests(SqsClientKind.AwsSdk);

    private async Task ReadsAsync(string sentence) =>
        Assert.Equal(sentence, (await Assert.ThrowsAsync<QueueException>(Client.AskAsync)).Message);
}
