using System.Text.Json;
using Amazon.Runtime;
using Microsoft.AspNetCore.Http;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>
/// Requests by chance to LocalSqs: each is answered, none with a fault of the server, and messages come and go only as the answers say.
/// </summary>
internal sealed class LocalSqsTarget : IFuzzTarget
{
    public const string Id = "localsqs";

    private static readonly TimeSpan LongestPoll = TimeSpan.FromSeconds(20);
    private static readonly SqsOptions Client = new() { Endpoint = "http://localhost", AccessKey = "test", SecretKey = "test" };
    private static readonly ImmutableCredentials Key = new("test", "test", null);

    private readonly RequestSigner _signer = new(SqsAddress.From(Client, AwsService.Sqs));

    public string Name => Id;

    public string Unit => FuzzTargets.Requests;

    public async Task<int> StepAsync(Draw draw)
    {
        var (time, options, count) = (new FakeTime(), new LocalSqsOptions(), draw.Between(5, 60));
        var store = new QueueStore(time, options);
        var protocol = new SqsProtocol(store, new SignatureCheck(options, time), new AnswerDelay(options, time));
        var requests = new SqsRequestDraw(draw);
        for (var i = 0; i < count; i++)
        {
            var (operation, body) = requests.Next();
            var (before, then) = (Messages(store), time.GetTimestamp());
            var (status, answer) = await AskAsync(protocol, time, operation, body);
            Assert.True(status is >= 200 and < 500, $"{operation} was answered {status}.");
            using var json = JsonDocument.Parse(answer);
            requests.Learn(json.RootElement);
            var hasWaited = time.GetTimestamp() > then;
            Check(operation, before, Messages(store), Successes(operation, status, json.RootElement), hasWaited);
            Assert.Equal(Messages(store) == 0, store.HeldBytes == 0);
            if (draw.OneIn(4))
                time.Advance(TimeSpan.FromSeconds(draw.Below(5)));
        }
        foreach (var name in store.List("", "", 100))
            store.Delete(name);
        Assert.Equal(0, store.HeldBytes);
        Assert.Equal(0, time.TimersSet);
        return count;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static int Messages(QueueStore store) =>
        store.List("", "", 100).Select(name => store.Get(name).Count()).Sum(counts => counts.Visible + counts.InFlight + counts.Delayed);

    private static int Successes(string operation, int status, JsonElement answer) =>
        status != StatusCodes.Status200OK ? 0
        : !operation.EndsWith("Batch", StringComparison.Ordinal) ? 1
        : answer.TryGetProperty("Successful", out var successful) ? successful.GetArrayLength() : 0;

    private static void Check(string operation, int before, int after, int successes, bool hasWaited)
    {
        var maxMore = operation.StartsWith("Send", StringComparison.Ordinal) ? successes : 0;
        var maxLess = operation switch
        {
            "DeleteMessage" or "DeleteMessageBatch" => successes,
            "DeleteQueue" or "PurgeQueue" => before,
            // Meanwhile the retention of any message may have ended.
            "ReceiveMessage" when hasWaited => before,
            _ => 0,
        };
        Assert.InRange(after, before - maxLess, before + maxMore);
    }

    private async Task<(int Status, byte[] Answer)> AskAsync(SqsProtocol protocol, FakeTime time, string operation, byte[] body)
    {
        var target = $"AmazonSQS.{operation}";
        using var answer = new MemoryStream();
        var http = new DefaultHttpContext
        {
            Request = { Method = "POST", Path = "/", Host = new HostString("localhost"), ContentType = "application/x-amz-json-1.0",
                Body = new MemoryStream(body) },
            Response = { Body = answer },
        };
        http.Request.Headers.Authorization = _signer.Sign(Key, time.GetUtcNow().UtcDateTime, target, body, out var date);
        http.Request.Headers["X-Amz-Date"] = date;
        http.Request.Headers["X-Amz-Target"] = target;
        http.Request.Headers["x-amzn-query-mode"] = "true";
        var handling = protocol.HandleAsync(http);
        // Once, however late it goes on: messages would expire meanwhile, in a step that cannot be repeated.
        if (!handling.IsCompleted)
            time.Advance(LongestPoll);
        await handling.Patiently();
        await http.Response.BodyWriter.FlushAsync();
        return (http.Response.StatusCode, answer.ToArray());
    }
}
