using System.Net;
using System.Net.Sockets;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>What a user reads when the queue does not do what it should: one sentence, what and where and what to do.</summary>
public sealed class SentenceTests : IDisposable
{
    private readonly TestClient _client = new(options => options.MaxAttempts = 1);

    [Fact]
    public async Task Nobody_listens_there()
    {
        _client.Server.Fails(new HttpRequestException("x", new SocketException((int)SocketError.ConnectionRefused)));

        await ReadsAsync("The queue at http://127.0.0.1:9324/ cannot be reached (ConnectionRefused): start it, or name another in Sqs:Endpoint.");
    }

    [Fact]
    public async Task Nobody_answers_the_attempt_to_connect()
    {
        _client.Server.Fails(new TaskCanceledException("connect", new TimeoutException()));

        await ReadsAsync("The queue at http://127.0.0.1:9324/ cannot be reached (no connection in time): start it, or name another in Sqs:Endpoint.");
    }

    [Fact]
    public async Task The_queue_does_not_exist()
    {
        _client.Server.Refuses(HttpStatusCode.BadRequest, "QueueDoesNotExist", "The specified queue does not exist.");

        await ReadsAsync(
            "The queue at http://127.0.0.1:9324/ refused GetQueueUrl with QueueDoesNotExist (The specified queue does not exist): "
            + "create it, or see whether the region is right.");
    }

    [Fact]
    public async Task A_token_that_was_configured_has_expired()
    {
        _client.Server.Refuses(HttpStatusCode.Forbidden, "ExpiredTokenException", "The security token included in the request is expired");

        await ReadsAsync(
            "The queue at http://127.0.0.1:9324/ refused GetQueueUrl with ExpiredTokenException (The security token included in the request is expired): "
            + "renew the session token.");
    }

    [Fact]
    public async Task Something_else_listens_there()
    {
        _client.Server.Says(HttpStatusCode.NotFound, "<html>nothing here</html>");

        await ReadsAsync("The queue at http://127.0.0.1:9324/ refused GetQueueUrl with NotFound.");
    }

    [Fact]
    public async Task It_answers_with_something_else_than_SQS_would()
    {
        _client.Server.Says(HttpStatusCode.OK, "<html>welcome</html>");

        await ReadsAsync("The server at http://127.0.0.1:9324/ answered GetQueueUrl with something that SQS would not say: see what listens there.");
    }

    [Fact]
    public void The_endpoint_is_no_URL()
    {
        var failure = Assert.Throws<SqsException>(() => new SqsOverHttp(new SqsOptions { Endpoint = "127.0.0.1:9324" }, TimeProvider.System));

        Assert.Equal("Sqs:Endpoint '127.0.0.1:9324' is not the URL of a queue server: write it like http://127.0.0.1:9324.", failure.Message);
    }

    public void Dispose() => _client.Dispose();

    private async Task ReadsAsync(string sentence) => Assert.Equal(sentence, (await Assert.ThrowsAsync<SqsException>(_client.AskAsync)).Message);
}
