using System.Net;
using System.Text;

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
        Seen.Add(await SeenRequest.OfAsync(request));
        return await _script.Dequeue()(cancellationToken);
    }

    private static HttpResponseMessage Answer(HttpStatusCode status, string text) =>
        new(status) { Content = new ByteArrayContent(Encoding.UTF8.GetBytes(text)) };
}
