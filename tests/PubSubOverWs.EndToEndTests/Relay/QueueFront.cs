using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// Stands before a real queue, in this process: passes every call on as it is, and answers with a failure itself while a test says so. It may also go
/// away, so that nobody listens at its port.
/// </summary>
internal sealed class QueueFront(Uri queue) : IAsyncDisposable
{
    private static readonly string[] OfTheConnection = ["Transfer-Encoding", "Connection", "Content-Length", "Date", "Server"];

    // The queue is close by, and its long polls are short.
    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false, UseCookies = false });
    private WebApplication? _app;
    private volatile QueueFailure? _failure;

    /// <summary>The same after it went away and came back.</summary>
    public Uri Address { get; private set; } = new("http://127.0.0.1:0");

    /// <summary>What it answers with; null: what the queue says.</summary>
    public QueueFailure? Failure
    {
        get => _failure;
        set => _failure = value;
    }

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
    }

    private async Task AnswerAsync(HttpContext context)
    {
        var operation = context.Request.Headers["X-Amz-Target"].ToString();
        if (Failure is { } failure && failure.Concerns(operation))
            await failure.AnswerAsync(context, operation);
        else
            await PassOnAsync(context);
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
