using System.Net;
using System.Security.Cryptography;
using System.Text;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>Answers each request with the next line of its script.</summary>
internal sealed class ScriptedServer : HttpMessageHandler
{
    private readonly Queue<Func<CancellationToken, Task<HttpResponseMessage>>> _script = new();

    public List<SeenRequest> Seen { get; } = [];

    public ScriptedServer Answers(string json) => Then(_ => Task.FromResult(Answer(HttpStatusCode.OK, json)));

    public ScriptedServer Refuses(HttpStatusCode status, string code, string message = "no", DateTimeOffset? date = null)
    {
        var answer = Answer(status, $$"""{"__type":"com.amazonaws.sqs#{{code}}","message":"{{message}}"}""");
        answer.Headers.Date = date;
        return Then(_ => Task.FromResult(answer));
    }

    public ScriptedServer Says(HttpStatusCode status, string text) => Then(_ => Task.FromResult(Answer(status, text)));

    public ScriptedServer Fails(Exception fault) => Then(_ => Task.FromException<HttpResponseMessage>(fault));

    public ScriptedServer Then(Func<CancellationToken, Task<HttpResponseMessage>> line)
    {
        _script.Enqueue(line);
        return this;
    }

    /// <summary>Answers only when it is cut off.</summary>
    public ScriptedServer Hangs() => Then(new TaskCompletionSource<HttpResponseMessage>().Task.WaitAsync);

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Seen.Add(await SeenRequest.ReadAsync(request));
        return await _script.Dequeue()(cancellationToken);
    }

    private static HttpResponseMessage Answer(HttpStatusCode status, string text) =>
        new(status) { Content = new ByteArrayContent(Encoding.UTF8.GetBytes(text)) };
}

/// <summary>A request as it reached the server; header names in lower case.</summary>
internal sealed record SeenRequest(Uri Uri, IReadOnlyDictionary<string, string> Headers, string Body)
{
    public string Operation => Headers["x-amz-target"]["AmazonSQS.".Length..];

    public static async Task<SeenRequest> ReadAsync(HttpRequestMessage request)
    {
        var headers = request.Headers.Concat(request.Content!.Headers)
            .ToDictionary(header => header.Key.ToLowerInvariant(), header => string.Join(",", header.Value));
        headers.TryAdd("host", request.RequestUri!.Authority);
        return new SeenRequest(request.RequestUri, headers, await request.Content.ReadAsStringAsync());
    }

    /// <summary>The header <c>Authorization</c> that it must have, given which headers it signs.</summary>
    public string Authorize(
        string signedHeaders, string accessKey = "AKIDEXAMPLE", string secretKey = "secret", string region = "eu-central-1",
        string service = "sqs") =>
        SigV4.Authorize(Uri, Headers, Body, signedHeaders, accessKey, secretKey, region, service);
}

internal static class Checksum
{
#pragma warning disable CA5351 // The protocol names it: a checksum, not a protection.
    /// <summary>MD5 in lower-case hexadecimal digits.</summary>
    public static string Compute(string text) => Convert.ToHexStringLower(MD5.HashData(Encoding.UTF8.GetBytes(text)));
#pragma warning restore CA5351
}
