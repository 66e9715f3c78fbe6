using System.Buffers;
using System.Collections.Concurrent;
using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Browser;

/// <summary>
/// A page in a Chromium of its own, which has the clients of a run with <c>--client browser</c>. This program serves it on 127.0.0.1 and
/// gives it orders over a WebSocket.
/// </summary>
public sealed class BrowserPage : IAsyncDisposable
{
    // Long, because a browser that starts for the first time reads a lot.
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);

    private const int MaxAnswerBytes = 64 << 20;
    private const int MaxConnections = 32;

    // The clients' servers listen on other ports.
    private const string Policy = "default-src 'none'; script-src 'self'; connect-src ws://127.0.0.1:*; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private static readonly (string Path, string File, string Type)[] Files =
    [
        ("/", "load.html", "text/html; charset=utf-8"),
        ("/load.js", "load.js", "text/javascript; charset=utf-8"),
        ("/users.js", "users.js", "text/javascript; charset=utf-8"),
        ("/stomp.js", "stomp.js", "text/javascript; charset=utf-8"),
    ];

    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    { Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) } };

    private readonly WebApplication _app;
    private readonly TimeProvider _time;
    private readonly ConcurrentDictionary<string, TaskCompletionSource<PageAnswer>> _answers = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private SessionProcess? _browser;
    private volatile WebSocket? _control;
    private int _opened;

    private BrowserPage(WebApplication app, TimeProvider time)
    {
        _app = app;
        _time = time;
        app.UseLoopbackHost();
        app.Use(AddHeaders);
        app.UseWebSockets(new WebSocketOptions { KeepAliveInterval = Timeout.InfiniteTimeSpan });
        foreach (var (path, file, type) in Files)
            app.MapGet(path, LoopbackServer.SendFile($"browser/{file}", type));
        app.MapGet("/control", TakeControlAsync);
    }

    /// <summary>Whose pages the servers must let connect: <c>http://127.0.0.1:PORT</c>.</summary>
    public string Origin => _app.Urls.Single();

    /// <summary>The browser, as the page itself sees it.</summary>
    public BrowserRecord Facts { get; private set; } = new("unknown", 0);

    /// <summary>The resources of the browser's processes that ran at the last <see cref="EnterAsync"/>.</summary>
    public ProcessUse Use => _browser!.Use;

    public int ProcessId => _browser!.Id;

    /// <summary>The cores of the browser, as the system lists them.</summary>
    public string Cores => string.Join(' ', ThreadMasks.Read(ProcessId));

    /// <summary>Starts the browser, and waits until it has loaded the page.</summary>
    /// <param name="core">Of the browser; null: not pinned.</param>
    /// <exception cref="ChildException">It ended first, or took too long.</exception>
    public static async Task<BrowserPage> StartAsync(int? core, TimeProvider time, CancellationToken cancellationToken)
    {
        var page = new BrowserPage(LoopbackServer.CreateForPages(port: 0, MaxConnections), time);
        try
        {
            await page._app.StartAsync(cancellationToken);
            page._browser = await Chromium.StartAsync(core, new Uri(page.Origin), time, cancellationToken);
            var opened = await page.AnswerAsync(PageOrder.Open, StartTimeout, cancellationToken);
            page.Facts = new BrowserRecord(opened.Version ?? "unknown", opened.ClockUs ?? 0);
            return page;
        }
        catch
        {
            await page.DisposeAsync();
            throw;
        }
    }

    /// <summary>Has the users of a trial connect, and looks at the processes of the browser.</summary>
    /// <inheritdoc cref="AskAsync"/>
    public Task<PageAnswer> EnterAsync(PagePlan plan, TimeSpan atMost, CancellationToken cancellationToken)
    {
        _browser!.Look();
        return AskAsync(PageOrder.Enter(plan), atMost, cancellationToken);
    }

    /// <summary>Gives an order, and waits for its answer. One order of a kind at a time.</summary>
    /// <exception cref="ChildException">The browser has ended, or did not answer in time.</exception>
    public async Task<PageAnswer> AskAsync(PageOrder order, TimeSpan atMost, CancellationToken cancellationToken)
    {
        try
        {
            await _control!.SendAsync(
                JsonSerializer.SerializeToUtf8Bytes(order, Json), WebSocketMessageType.Text, endOfMessage: true, cancellationToken);
        }
        catch (WebSocketException)
        {
            throw Ended();
        }

        return await AnswerAsync(order.Order, atMost, cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        if (_browser is not null)
            await _browser.DisposeAsync();
        await _app.StopAsync();
        await _app.DisposeAsync();
    }

    private async Task<PageAnswer> AnswerAsync(string order, TimeSpan atMost, CancellationToken cancellationToken)
    {
        var answer = AnswerTo(order).Task;
        try
        {
            if (await Task.WhenAny(answer, _ended.Task, _browser!.Exited).WaitAsync(atMost, _time, cancellationToken) != answer)
                throw Ended();
        }
        catch (TimeoutException)
        {
            throw new ChildException($"The page of the browser did not answer '{order}' within {atMost.TotalSeconds:0} s.{Wrote}");
        }

        _answers.TryRemove(order, out _);
        return await answer;
    }

    private TaskCompletionSource<PageAnswer> AnswerTo(string order) =>
        _answers.GetOrAdd(order, _ => new(TaskCreationOptions.RunContinuationsAsynchronously));

    private ChildException Ended() => new($"The browser with the clients, or its page, ended unexpectedly.{Wrote}");

    private string Wrote => _browser is { LastLines: [.., var last] } ? $" The browser's last line: {last}" : "";

    private static Task AddHeaders(HttpContext context, RequestDelegate next)
    {
        var headers = context.Response.Headers;
        LoopbackServer.SetPageHeaders(headers, Policy);
        // A page that no other can reach into has a clock of 5 us, others one of 100 us.
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Embedder-Policy"] = "require-corp";
        return next(context);
    }

    // Only one page, once, and only this one: another would have another origin.
    private async Task TakeControlAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest || $"{context.Request.Headers.Origin}" != Origin
            || Interlocked.Exchange(ref _opened, 1) != 0)
        {
            context.Response.StatusCode = StatusCodes.Status403Forbidden;
            return;
        }

        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        _control = socket;
        try
        {
            while (await ReadAsync(socket, context.RequestAborted) is { } answer)
                AnswerTo(answer.To).TrySetResult(answer);
        }
        catch (Exception error) when (error is WebSocketException or OperationCanceledException)
        {
            // The browser has ended.
        }
        finally
        {
            _ended.TrySetResult();
        }
    }

    // Null: the page is closed.
    private static async Task<PageAnswer?> ReadAsync(WebSocket socket, CancellationToken cancellationToken)
    {
        var text = new ArrayBufferWriter<byte>();
        ValueWebSocketReceiveResult part;
        do
        {
            part = await socket.ReceiveAsync(text.GetMemory(1 << 16), cancellationToken);
            text.Advance(part.Count);
        }
        while (!part.EndOfMessage && text.WrittenCount <= MaxAnswerBytes);
        return part is { EndOfMessage: true, MessageType: WebSocketMessageType.Text }
            ? JsonSerializer.Deserialize<PageAnswer>(text.WrittenSpan, Json)
            : null;
    }
}
