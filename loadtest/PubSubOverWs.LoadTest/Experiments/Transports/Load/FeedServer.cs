using System.Net.WebSockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using PubSubOverWs.Hosting;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

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
        var lines = context.Request.BodyReader;
        var read = default(System.IO.Pipelines.ReadResult);
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
                    await context.Response.BodyWriter.WriteAsync(ServerSentEvent.From(one), context.RequestAborted);
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

    public static byte[] From(byte[] measurement) =>
        [.. Id, .. measurement.AsSpan(0, Measurement.NumberDigits), .. Before, .. measurement, .. After];

    /// <summary>The measurement of an event; empty: it is none.</summary>
    public static ReadOnlySpan<byte> MeasurementOf(ReadOnlySpan<byte> line) =>
        line.StartsWith(Before.AsSpan(1)) ? line[(Before.Length - 1)..] : default;
}

/// <summary>
/// HTTP/1.1 and HTTP/2 at one address, in the clear and without a negotiation, so that both go through the same proxies. A client that
/// means HTTP/2 begins with its preface (RFC 9113, 3.4), which no request of HTTP/1.1 begins with. Kestrel tells them apart in the TLS
/// handshake only: here such a connection is handed to an endpoint that knows HTTP/2 alone.
/// </summary>
internal sealed class BothVersions
{
    private const int Enough = 3;

    private ConnectionDelegate? _http2;

    /// <summary>The application that serves HTTP/2; it must have started when the first client comes.</summary>
    public WebApplication Http2()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.AddChildMode([]);
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.WebHost.UseUrls("http://127.0.0.1:0").ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.ConfigureEndpointDefaults(endpoint =>
            {
                endpoint.Protocols = HttpProtocols.Http2;
                endpoint.Use(serve => _http2 = serve);
            });
        });
        return builder.Build();
    }

    /// <summary>Has an endpoint of HTTP/1.1 serve HTTP/2 as well.</summary>
    public void Take(ListenOptions endpoint) => endpoint.Use(serve => async connection =>
    {
        bool isHttp2;
        try
        {
            var begun = await connection.Transport.Input.ReadAtLeastAsync(Enough, connection.ConnectionClosed);
            isHttp2 = begun.Buffer.Length >= Enough && begun.Buffer.FirstSpan.StartsWith("PRI"u8);
            connection.Transport.Input.AdvanceTo(begun.Buffer.Start);
        }
        catch (Exception left) when (left is OperationCanceledException or IOException)
        {
            return;
        }

        await (isHttp2 ? _http2! : serve)(connection);
    });
}

/// <summary>The feed server: one for all arms where they run at once, else one for each.</summary>
public sealed class FeedTarget : Target
{
    public override string Name => TransportArms.Target;

    public override IEnumerable<string> Processes(TargetUse use) => !use.IsRun ? []
        : use.Scenario.IsTogether ? ["feed server", "fault proxy"] : ["a feed server for each arm"];

    public override Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        // Latency is the difference of a stamp here and one of the server.
        RefusalException.ThrowUnless(!use.IsRun || OperatingSystem.IsLinux(),
            "The clocks of two processes can be compared on Linux only, where both read the machine's monotonic clock: run this scenario "
                + "there.");
        return Task.CompletedTask;
    }

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        block.OpenAllAsync(
            arms, arm => FeedServer.ChildCommand with { Name = block.Plan.Scenario.SetUp(arm).NameFor(arm) }, stopping, hasStats: false);
}
