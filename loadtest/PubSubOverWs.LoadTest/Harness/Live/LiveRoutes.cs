using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>What a <see cref="LivePage"/> answers: its files, its events, and the report of a run that has ended. GET only.</summary>
/// <param name="report">The file of the report; null: it is not made.</param>
/// <param name="stopping">Ends the events.</param>
internal sealed class LiveRoutes(LiveState state, Audience audience, Func<string?> report, CancellationToken stopping)
{
    private const string Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    // A report is one file, with its style in it, and has no script.
    private const string ReportPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    public void Map(WebApplication app)
    {
        app.Use(AddHeaders);
        app.MapGet("/", Held(LoopbackServer.SendFile("live/live.html", "text/html; charset=utf-8"), isPage: true));
        app.MapGet("/live.css", Held(LoopbackServer.SendFile("live/live.css", "text/css; charset=utf-8")));
        app.MapGet("/live.js", Held(LoopbackServer.SendFile("live/live.js", "text/javascript; charset=utf-8")));
        app.MapGet("/events", Guarded(SendEventsAsync));
        app.MapGet("/drawn", Held(TakeDrawn));
        app.MapGet("/report.html", Held(SendReportAsync));
    }

    private static Task AddHeaders(HttpContext context, RequestDelegate next)
    {
        var headers = context.Response.Headers;
        LoopbackServer.SetPageHeaders(headers, Policy);
        headers["Referrer-Policy"] = "no-referrer";
        return next(context);
    }

    private RequestDelegate Held(RequestDelegate answer, bool isPage = false) =>
        Guarded(context => audience.AnswerAsync(() => answer(context), isPage, context.RequestAborted));

    private RequestDelegate Guarded(RequestDelegate answer) => async context =>
    {
        try
        {
            await answer(context);
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested || stopping.IsCancellationRequested)
        {
            // The page was closed, or the program ends.
        }
    };

    private async Task SendEventsAsync(HttpContext context)
    {
        int? joined = null;
        await audience.AnswerAsync(() => Task.FromResult(joined = audience.Join()), isPage: false, context.RequestAborted);
        if (joined is not { } page)
        {
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            return;
        }

        using var either = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, stopping);
        try
        {
            context.Response.ContentType = "text/event-stream";
            for (var sent = 0L; ;)
            {
                await audience.NewsAsync(sent, either.Token);
                var update = state.Since(sent) with { Page = page };
                await context.Response.WriteAsync($"data: {JsonSerializer.Serialize(update, JsonSerializerOptions.Web)}\n\n", either.Token);
                await context.Response.Body.FlushAsync(either.Token);
                sent = update.Version;
            }
        }
        finally
        {
            audience.Leave(page);
        }
    }

    private Task TakeDrawn(HttpContext context)
    {
        var query = context.Request.Query;
        if (int.TryParse(query["page"], NumberStyles.None, CultureInfo.InvariantCulture, out var page)
            && long.TryParse(query["version"], NumberStyles.None, CultureInfo.InvariantCulture, out var version))
        {
            audience.Drawn(page, version);
            context.Response.StatusCode = StatusCodes.Status204NoContent;
        }
        else
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
        }

        return Task.CompletedTask;
    }

    private async Task SendReportAsync(HttpContext context)
    {
        if (report() is not { } file || !File.Exists(file))
        {
            context.Response.StatusCode = StatusCodes.Status404NotFound;
            return;
        }

        context.Response.ContentType = "text/html; charset=utf-8";
        context.Response.Headers.ContentSecurityPolicy = ReportPolicy;
        await context.Response.SendFileAsync(file, context.RequestAborted);
    }
}
