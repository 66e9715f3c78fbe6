using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using PubSubOverWs.Hosting;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>
/// A WebSocket server that speaks first: it streams messages to a client from the moment at which that connects, and sends back every text
/// message that it gets. It has the path and the settings of the published one, so that the published client can use it.
/// </summary>
/// <remarks>
/// The framework's server reads the request and makes the connection a WebSocket; from then on its bytes go from the thread that waits for
/// them to the session, which writes its frames to the socket directly. Each hop to another thread costs as much as the reply itself.
/// </remarks>
public static class StreamServer
{
    public const string Command = "stream-server";

    /// <summary>Says on which port it speaks HTTP/2: without TLS nothing in a request tells both versions apart.</summary>
    public const string Http2PortPath = "/http2-port";

    /// <summary>Serves until it is stopped.</summary>
    /// <param name="args">All arguments of the program: the web host reads its settings from them.</param>
    /// <param name="port">On loopback; null: that of <c>--urls</c>.</param>
    /// <param name="settings">Of clients that do not ask for others.</param>
    /// <exception cref="RefusalException">The port cannot be had.</exception>
    public static async Task RunAsync(string[] args, int? port, StreamSettings settings)
    {
        InlineCompletions.Enable();
        var builder = WebApplication.CreateSlimBuilder(args);
        builder.AddChildMode(args);
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        // That the port cannot be had is said below, without a stack trace.
        builder.Logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.Critical);
        // Of the HTTP/2 endpoint.
        builder.WebHost.UseSockets(sockets =>
        {
            sockets.UnsafePreferInlineScheduling = true;
            sockets.WaitForDataBeforeAllocatingBuffer = false;
        });
        builder.Services.AddSingleton<IConnectionListenerFactory, ThreadedListenerFactory>(); // The server asks the last one first.
        var own = port ?? new Uri(builder.Configuration[WebHostDefaults.ServerUrlsKey]!).Port;
        var option = port is null ? "--urls" : "--port";
        builder.WebHost.UseSetting(WebHostDefaults.ServerUrlsKey, "");
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(new ThreadedEndPoint(own));
            kestrel.Listen(IPAddress.Loopback, 0, http2 => http2.Protocols = HttpProtocols.Http2);
        });
        await using var app = builder.Build();

        app.UseWebSockets();
        app.MapGet("/health/ready", () => Results.Ok());
        app.MapGet(Http2PortPath, () => new Uri(app.Urls.Last()).Port.ToString(CultureInfo.InvariantCulture));
        app.Map(ClientTarget.Path, context => ServeAsync(context, settings, app.Lifetime.ApplicationStopping));
        try
        {
            await app.RunAsync();
        }
        catch (IOException taken) when (taken.InnerException is AddressInUseException)
        {
            throw new RefusalException($"{taken.Message} Choose another with {option}, or stop what listens there.", taken);
        }
        catch (SocketException refused)
        {
            throw new RefusalException($"Cannot listen on port {own}: {refused.Message}. Choose another with {option}.", refused);
        }
    }

    private static async Task ServeAsync(HttpContext context, StreamSettings defaults, CancellationToken stopping)
    {
        if (HttpProtocol.IsHttp2(context.Request.Protocol))
        {
            await ServeHttp2Async(context, defaults, stopping);
            return;
        }

        var upgrade = context.Features.Get<IHttpUpgradeFeature>();
        var key = context.Request.Headers.SecWebSocketKey.ToString();
        if (upgrade is not { IsUpgradableRequest: true } || key.Length == 0
            || defaults.With(context.Request.Query) is not { } settings
            || context.Features.Get<ThreadedConnection>() is not { } connection)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }

        context.Response.Headers.Upgrade = "websocket";
        context.Response.Headers.SecWebSocketAccept = UpgradeKey.Accept(key);
        var session = new StreamSession(settings, connection.Socket, TimeProvider.System);
        var reading = connection.TakeAsync(session.Take);
        await using var upgraded = await upgrade.UpgradeAsync();
        await session.RunAsync(reading, stopping);
    }

    private static async Task ServeHttp2Async(HttpContext context, StreamSettings defaults, CancellationToken stopping)
    {
        if (!context.WebSockets.IsWebSocketRequest || defaults.With(context.Request.Query) is not { } settings)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }

        using var socket = await context.WebSockets.AcceptWebSocketAsync();
        using var session = new Http2Session(settings, socket);
        await session.RunAsync(stopping);
    }
}

/// <summary>The stream server of this program.</summary>
public sealed class StreamTarget : Target
{
    public override string Name => InterferenceArms.Server;

    public override IEnumerable<string> Processes(TargetUse use) => use.IsRun ? ["stream server"] : [];

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        block.OpenAllAsync(
            arms, _ => ChildCommand.ThisProgram(StreamServer.Command) with { Environment = ChildCommand.OfServers }, stopping,
            hasStats: false);
}

/// <summary>Another server of the same protocol, which is running already.</summary>
public sealed class ReferenceTarget : Target
{
    public override string Name => InterferenceArms.Reference;

    public override string AddressHelp =>
        "stream server to measure beside that of this program: the published one, or any that clients use in the same way";

    public override bool IsStartedByRuns => false;

    public override void Check(TargetUse use)
    {
        base.Check(use);
        RefusalException.ThrowUnless(!use.IsRun || use.Address is not null,
            $"The arm {Name} is a server that the run does not start: start one, and give its address with {AddressOption}, or omit the "
                + "arm.");
    }

    /// <summary>It speaks no STOMP, so that only its port can be tried.</summary>
    public override async Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        if (use is { IsRun: true, Address: { } address })
            await new AddressCheck(Name, AddressOption, address, use.Options.Access, time).ConnectAsync(stopping);
    }

    public override IEnumerable<string> Processes(TargetUse use) =>
        use.Address is { } address && use.IsRun ? [$"stream server at {address} (not started by the run)"] : [];

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        block.OpenAllAsync(arms, _ => null, stopping, hasStats: false);
}
