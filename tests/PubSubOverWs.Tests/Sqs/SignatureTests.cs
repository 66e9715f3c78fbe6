using System.Net;
using Amazon.Runtime;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public sealed class SignatureTests
{
    private const string SignedHeaders = "content-type;host;x-amz-date;x-amz-target;x-amzn-query-mode";

    /// <summary>The case "post-vanilla" of the test suite that AWS publishes for Signature Version 4.</summary>
    [Fact]
    public void The_oracle_agrees_with_the_published_example()
    {
        var request = new SeenRequest(
            new Uri("https://example.amazonaws.com/"),
            new Dictionary<string, string> { ["host"] = "example.amazonaws.com", ["x-amz-date"] = "20150830T123600Z" }, "");

        var authorization = request.Authorize(
            "host;x-amz-date", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1", service: "service");

        Assert.EndsWith(
            "Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b", authorization, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_SDK_signs_as_an_independent_implementation_does()
    {
        using var client = new TestClient(SqsClientKind.AwsSdk, options => options.SessionToken = "a token/with+signs=");
        client.Server.Answers("""{"Successful":[{"Id":"0","MessageId":"m"}]}""");

        await client.SendAsync("smörgåsbord \"quoted\"");

        var request = client.Server.Seen[0];
        var signed = request.Headers["authorization"].Split("SignedHeaders=")[1].Split(',')[0];
        Assert.Superset(
            new HashSet<string>(["host", "x-amz-date", "x-amz-security-token", "x-amz-target"]), new HashSet<string>(signed.Split(';')));
        Assert.Equal(request.Authorize(signed), request.Headers["authorization"]);
    }

    [Fact]
    public async Task A_request_is_signed_as_an_independent_implementation_signs_it()
    {
        using var client = new TestClient(SqsClientKind.Http);
        client.Server.Answers("""{"Successful":[{"Id":"0","MessageId":"m"}]}""");

        await client.SendAsync("smörgåsbord \"quoted\"");

        var request = client.Server.Seen[0];
        Assert.Equal("127.0.0.1:9324", request.Headers["host"]);
        Assert.Equal("application/x-amz-json-1.0", request.Headers["content-type"]);
        Assert.Equal(request.Authorize(SignedHeaders), request.Headers["authorization"]);
    }

    [Fact]
    public async Task A_session_token_is_sent_and_signed()
    {
        using var client = new TestClient(SqsClientKind.Http, options => options.SessionToken = "a token/with+signs=");
        client.Server.Answers("""{"QueueUrl":"u"}""");

        await client.AskAsync();

        var request = client.Server.Seen[0];
        Assert.Equal("a token/with+signs=", request.Headers["x-amz-security-token"]);
        var signed = "content-type;host;x-amz-date;x-amz-security-token;x-amz-target;x-amzn-query-mode";
        Assert.Equal(request.Authorize(signed), request.Headers["authorization"]);
    }

    [Fact]
    public async Task Each_attempt_gets_its_own_signature()
    {
        using var client = new TestClient(
            SqsClientKind.Http, options => options.RetryDelay = options.MaxRetryDelay = TimeSpan.FromSeconds(30));
        client.Server.Refuses(HttpStatusCode.ServiceUnavailable, "ServiceUnavailable").Answers("""{"QueueUrl":"u"}""");

        await client.OutlastAsync(client.AskAsync());

        var (first, second) = (client.Server.Seen[0], client.Server.Seen[1]);
        Assert.NotEqual(first.Headers["x-amz-date"], second.Headers["x-amz-date"]);
        Assert.Equal(second.Authorize(SignedHeaders), second.Headers["authorization"]);
    }

    [Fact]
    public void Each_day_and_each_secret_is_signed_with_its_own_key()
    {
        var signer = new RequestSigner(SqsAddress.From(
            new SqsOptions { Endpoint = "http://127.0.0.1:9324", Region = "eu-central-1" }, AwsService.Sqs));
        var late = new DateTime(2026, 2, 28, 23, 59, 59, DateTimeKind.Utc);
        var nextDay = late.AddSeconds(1);
        foreach (var (now, secret) in new[] { (late, "secret"), (nextDay, "secret"), (nextDay, "another"), (late, "secret") })
        {
            var authorization = signer.Sign(
                new ImmutableCredentials("AKIDEXAMPLE", secret, null), now, "AmazonSQS.GetQueueUrl", "{}"u8, out var date);

            var request = new SeenRequest(
                new Uri("http://127.0.0.1:9324/"),
                new Dictionary<string, string>
                {
                    ["content-type"] = "application/x-amz-json-1.0",
                    ["host"] = "127.0.0.1:9324",
                    ["x-amz-date"] = date,
                    ["x-amz-target"] = "AmazonSQS.GetQueueUrl",
                    ["x-amzn-query-mode"] = "true",
                },
                "{}");
            Assert.Equal(request.Authorize(SignedHeaders, secretKey: secret), authorization);
        }
    }
}
