using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// Stands before a real queue, in this process: passes every call on as it is, and answers with a failure itself while a test says so. It
/// may also go away, so that nothing listens at its port.
/// </summary>
internal sealed class QueueFront(Uri queue) : IAsyncDisposable
{
    private static readonly string[] OfTheConnection = ["Transfer-Encoding", "Connection", "Content-Length", "Date", "Server"];

    // The queue is close by, and its long polls are short.
    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false, UseCookies = false });
    // A call without some of its entries has to be signed again.
    private readonly RawSqs _rest = new(new ContractEndpoint(queue));
    private WebApplication? _app;
    private int _mixedAnswers;
    private volatile QueueFailure? _failure;

    /// <summary>The same after it went away and came back.</summary>
    public Uri Address { get; private set; } = new("http://127.0.0.1:0");

    /// <summary>The failure that it answers with; null: it passes on the answer of the queue.</summary>
    public QueueFailure? Failure
    {
        get => _failure;
        set => _failure = value;
    }

    /// <summary>Answers to batches of which some entries succeeded and others failed.</summary>
    public int MixedAnswers => Volatile.Read(ref _mixedAnswers);

    public async Task ComeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls(Address.ToString());
        builder.Logging.ClearProviders();
        _app = builder.Build();
        _app.Run(AnswerAsync);
        await _app.StartAsync();
        Address = new Uri(_app.Urls.First());
    }

    public async Task GoAwayAsync()
    {
        if (_app is not null)
            await _app.DisposeAsync();
        _app = null;
    }

    public async ValueTask DisposeAsync()
    {
        await GoAwayAsync();
        _http.Dispose();
        _rest.Dispose();
    }

    private async Task AnswerAsync(HttpContext context)
    {
        var operation = context.Request.Headers["X-Amz-Target"].ToString();
        if (Failure is not { } failure || !failure.Concerns(operation))
            await PassOnAsync(context);
        else if (failure.InEntries)
            await FailEntriesAsync(context, operation["AmazonSQS.".Length..], failure);
        else
            await failure.AnswerAsync(context);
    }

    // Those that do not fail the queue carries out.
    private async Task FailEntriesAsync(HttpContext context, string operation, QueueFailure failure)
    {
        var call = (await JsonNode.ParseAsync(context.Request.Body, cancellationToken: context.RequestAborted))!;
        var byFate = call["Entries"]!.AsArray().ToLookup(_ => failure.IsDrawn(), entry => entry!.DeepClone());
        call["Entries"] = new JsonArray([.. byFate[false]]);
        var answer = byFate[false].Any()
            ? JsonNode.Parse((await _rest.CallAsync(operation, call.ToJsonString(), CancellationToken.None)).Json.GetRawText())!
            : new JsonObject();
        if (byFate[false].Any() && byFate[true].Any())
            Interlocked.Increment(ref _mixedAnswers);
        var failed = answer["Failed"]?.AsArray().Select(entry => entry!.DeepClone()) ?? [];
        answer["Failed"] = new JsonArray([.. failed, .. byFate[true].Select(entry => failure.Failed((string)entry["Id"]!))]);
        context.Response.ContentType = "application/x-amz-json-1.0";
        await context.Response.WriteAsync(answer.ToJsonString(), context.RequestAborted);
    }

    // With the host that was signed.
    private async Task PassOnAsync(HttpContext context)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, queue) { Content = new StreamContent(context.Request.Body) };
        foreach (var header in context.Request.Headers)
        {
            if (!request.Headers.TryAddWithoutValidation(header.Key, (string?)header.Value))
                request.Content.Headers.TryAddWithoutValidation(header.Key, (string?)header.Value);
        }
        try
        {
            using var answer = await _http.SendAsync(request, context.RequestAborted);
            context.Response.StatusCode = (int)answer.StatusCode;
            foreach (var header in answer.Headers.Concat(answer.Content.Headers).Where(header => !OfTheConnection.Contains(header.Key)))
                context.Response.Headers[header.Key] = header.Value.ToArray();
            await answer.Content.CopyToAsync(context.Response.Body, context.RequestAborted);
        }
        catch (Exception gone) when (gone is HttpRequestException or OperationCanceledException)
        {
            context.Abort();
        }
    }
}

/// <summary>An answer of SQS to calls that it refuses, in its own words.</summary>
/// <param name="Status">HTTP status.</param>
/// <param name="Code">The end of <c>__type</c>, or of failed entries the <c>Code</c>.</param>
/// <param name="Message">What SQS says.</param>
internal sealed record QueueFailure(int Status, string Code, string Message)
{
    /// <summary>Of which operations; none named: of all.</summary>
    public string[] Operations { get; init; } = [];

    /// <summary>The call succeeds, and of its entries some or all fail, by no fault of the sender's.</summary>
    public bool InEntries { get; init; }

    /// <summary>How likely a call fails, or an entry, drawn for each.</summary>
    public double Share { get; init; } = 1;

    /// <summary>What <see cref="Share"/> is drawn from.</summary>
    public Random Random { get; init; } = new(1);

    /// <summary>Whether this call is to fail, or entries of it.</summary>
    public bool Concerns(string target) =>
        (Operations.Length == 0 || Operations.Any(operation => target == "AmazonSQS." + operation)) && (InEntries || IsDrawn());

    /// <summary>Whether the next one is to fail.</summary>
    public bool IsDrawn()
    {
        lock (Random)
            return Random.NextDouble() < Share;
    }

    /// <summary>The answer to an entry that failed.</summary>
    public JsonNode Failed(string id) => JsonSerializer.SerializeToNode(new { Id = id, SenderFault = false, Code, Message })!;

    /// <summary>The answer to a call that failed.</summary>
    public async Task AnswerAsync(HttpContext context)
    {
        context.Response.StatusCode = Status;
        context.Response.ContentType = "application/x-amz-json-1.0";
        var answer = new Dictionary<string, string> { ["__type"] = $"com.amazonaws.sqs#{Code}", ["message"] = Message };
        await context.Response.WriteAsync(JsonSerializer.Serialize(answer), context.RequestAborted);
    }

    public override string ToString() => Code;
}
