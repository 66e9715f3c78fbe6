using System.Net.WebSockets;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using PubSubOverWs.Hosting;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load.Feed;

/// <summary>
/// The server of the transports experiment, which stamps measurements and has them received in several ways. It is the hidden command
/// <c>feed</c> of this program, and runs as a child process. Whatever it has for a client at one time is written at once, header and all:
/// a proxy delays what it reads together.
/// </summary>
public sealed class FeedServer(TimeProvider time)
{
    public const string Command = "feed";

    /// <summary>POST: a line <c>CHANNEL NUMBER</c> for each measurement, as long as the request lasts.</summary>
    public const string SensorPath = "/sensor";

    /// <summary>
    /// A WebSocket: each measurement is a text message. Here and below <c>channel</c> names the sensor, and <c>after</c> the last
    /// measurement that the client has: it then gets all that came later, also what was sent to it before. Without it a client that comes
    /// back gets what comes from then on, and a poll what was not handed over.
    /// </summary>
    public const string SocketPath = "/ws";

    /// <summary>
    /// GET: server-sent events, one for each measurement, whose id is its number. A client that comes back names the last one in
    /// <see cref="LastEventId"/>, as browsers do by themselves, in place of <c>after</c>.
    /// </summary>
    public const string EventsPath = "/events";

    /// <summary>A header.</summary>
    public const string LastEventId = "Last-Event-ID";

    /// <summary>
    /// GET with <c>client</c>, any name, and <c>wait</c> in ms: all measurements for it that were not handed over yet, one behind the
    /// other.
    /// </summary>
    public const string PollPath = "/poll";

    /// <summary>GET: collects garbage, as much as can be.</summary>
    public const string CollectPath = "/collect";

    private readonly MeasurementFeed _feed = new(time);
    private long _clients;

    public static ChildCommand ChildCommand => ChildCommand.ThisProgram(Command) with { Environment = ChildCommand.OfWebServers };

    /// <summary>Serves until it is stopped. <paramref name="args"/> are all arguments of the program.</summary>
    public static async Task RunAsync(string[] args)
    {
        var builder = WebApplication.CreateSlimBuilder(args);
        builder.AddChildMode(args);
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        var both = new BothVersions();
        builder.ListenOnLoopbackOnly(Command, both.Take);
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.AddServerHeader = false);
        await using var app = builder.Build();
        var feed = new FeedServer(TimeProvider.System);
        await using var http2 = both.Http2();
        feed.Map(http2);
        await http2.StartAsync();

        feed.Map(app);
        app.MapGet("/health/ready", () => Results.Ok());
        app.MapGet(CollectPath, () => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true));
        await app.RunAsync();
    }

    private void Map(WebApplication app)
    {
        app.UseWebSockets(new WebSocketOptions { KeepAliveInterval = TimeSpan.Zero });
        app.MapPost(SensorPath, Guarded(TakeAsync));
        app.Map(SocketPath, Guarded(SendAsync));
        app.MapGet(EventsPath, Guarded(SendEventsAsync));
        app.MapGet(PollPath, Guarded(AnswerAsync));
    }

    private async Task TakeAsync(HttpContext context)
    {
        // A sensor is slow on purpose, and does not end.
        context.Features.Get<IHttpMinRequestBodyDataRateFeature>()!.MinDataRate = null;
        context.Features.Get<IHttpMaxRequestBodySizeFeature>()!.MaxRequestBodySize = null;
        var (lines, read) = (context.Request.BodyReader, default(System.IO.Pipelines.ReadResult));
        while (!read.IsCompleted)
        {
            read = await lines.ReadAsync(context.RequestAborted);
            lines.AdvanceTo(SensorLines.Take(read.Buffer, _feed.Publish), read.Buffer.End);
        }
    }

    private async Task SendAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }
        // Before the handshake is answered: a client that is connected misses nothing.
        await WithInboxAsync(context, Number(context.Request.Query["after"]), async inbox =>
        {
            using var socket = await context.WebSockets.AcceptWebSocketAsync();
            while (!inbox.IsClosed)
            {
                foreach (var one in await inbox.TakeAsync(Timeout.InfiniteTimeSpan, time, context.RequestAborted))
                    await socket.SendAsync(one, WebSocketMessageType.Text, endOfMessage: true, context.RequestAborted);
            }
        });
    }

    private Task SendEventsAsync(HttpContext context)
    {
        var last = Number(context.Request.Headers[LastEventId]);
        return WithInboxAsync(context, last, async inbox =>
        {
            context.Response.ContentType = "text/event-stream";
            await context.Response.BodyWriter.WriteAsync(ServerSentEvent.RetryAtOnce, context.RequestAborted);
            while (!inbox.IsClosed)
            {
                foreach (var one in await inbox.TakeAsync(Timeout.InfiniteTimeSpan, time, context.RequestAborted))
                    await context.Response.BodyWriter.WriteAsync(ServerSentEvent.Of(one), context.RequestAborted);
            }
        });
    }

    private async Task AnswerAsync(HttpContext context)
    {
        var query = context.Request.Query;
        if (!query.TryGetValue("client", out var client) || Number(query["wait"]) is not { } wait)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }
        var inbox = _feed.Open(client!, Channel(context), Number(query["after"]));
        var taken = await inbox.TakeAsync(TimeSpan.FromMilliseconds(wait), time, context.RequestAborted);
        // It was away for too long, and something was lost for it.
        context.Response.StatusCode = inbox.IsClosed ? StatusCodes.Status410Gone : StatusCodes.Status200OK;
        context.Response.ContentLength = taken.Count * Measurement.Bytes;
        if (taken.Count > 0)
            await context.Response.BodyWriter.WriteAsync(taken.SelectMany(one => one).ToArray(), context.RequestAborted);
    }

    private async Task WithInboxAsync(HttpContext context, int? after, Func<Inbox, Task> serve)
    {
        var inbox = _feed.Open($"connection-{Interlocked.Increment(ref _clients)}", Channel(context), after);
        try
        {
            await serve(inbox);
        }
        finally
        {
            _feed.Close(inbox);
        }
    }

    private static int Channel(HttpContext context) => Number(context.Request.Query["channel"]) ?? 0;

    // Null: it is not there, or no number from 0 on.
    private static int? Number(string? text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    private static RequestDelegate Guarded(Func<HttpContext, Task> serve) => async context =>
    {
        try
        {
            await serve(context);
        }
        catch (Exception left) when (left is OperationCanceledException or WebSocketException or IOException
            && context.RequestAborted.IsCancellationRequested)
        {
            // The client has left.
        }
    };
}

/// <summary>A measurement as a server-sent event, whose id is its number.</summary>
public static class ServerSentEvent
{
    private static readonly byte[] Id = "id: "u8.ToArray();
    private static readonly byte[] Before = "\ndata: "u8.ToArray();
    private static readonly byte[] After = "\n\n"u8.ToArray();

    public static int Bytes => Id.Length + Measurement.NumberDigits + Before.Length + Measurement.Bytes + After.Length;

    /// <summary>Before the first event: a browser comes back at once. By itself it would wait for some seconds.</summary>
    public static ReadOnlyMemory<byte> RetryAtOnce { get; } = "retry: 0\n\n"u8.ToArray();

    public static byte[] Of(byte[] measurement) =>
        [.. Id, .. measurement.AsSpan(0, Measurement.NumberDigits), .. Before, .. measurement, .. After];

    /// <summary>The measurement of an event; empty: it is none.</summary>
    public static ReadOnlySpan<byte> MeasurementOf(ReadOnlySpan<byte> line) =>
        line.StartsWith(Before.AsSpan(1)) ? line[(Before.Length - 1)..] : default;
}
