using System.Buffers;
using System.Net.WebSockets;
using PubSubOverWs.Hosting;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// The floor of the set-up: a minimal WebSocket server that sends every message back. It is the hidden command <c>null-echo</c> of this
/// program, and runs as a child process like the servers that it is compared with.
/// </summary>
public static class NullEcho
{
    public const string Command = "null-echo";

    private const int BufferBytes = 4096;

    public static ChildCommand ChildCommand => ChildCommand.ThisProgram(Command) with { Environment = ChildCommand.OfWebServers };

    /// <summary>Serves until it is stopped. <paramref name="args"/> are all arguments of the program.</summary>
    public static async Task RunAsync(string[] args)
    {
        var builder = WebApplication.CreateSlimBuilder(args);
        builder.AddChildMode(args);
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.ListenOnLoopbackOnly(Command);
        await using var app = builder.Build();

        app.UseWebSockets();
        app.MapGet("/health/ready", () => Results.Ok());
        app.Map(ClientTarget.Path, EchoAsync);
        await app.RunAsync();
    }

    private static async Task EchoAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            return;
        }
        using var socket = await context.WebSockets.AcceptWebSocketAsync(context.WebSockets.WebSocketRequestedProtocols.FirstOrDefault());
        try
        {
            await EchoAsync(socket, context.RequestAborted);
        }
        catch (WebSocketException)
        {
            // The client has disconnected.
        }
    }

    private static async Task EchoAsync(WebSocket socket, CancellationToken cancellationToken)
    {
        // An empty read waits for bytes without holding a buffer, as in the servers.
        while (await socket.ReceiveAsync(Memory<byte>.Empty, cancellationToken) is { MessageType: not WebSocketMessageType.Close } waited)
        {
            if (waited.EndOfMessage)
                await socket.SendAsync(ReadOnlyMemory<byte>.Empty, waited.MessageType, endOfMessage: true, cancellationToken);
            else
                await EchoMessageAsync(socket, cancellationToken);
        }
        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, cancellationToken);
    }

    private static async Task EchoMessageAsync(WebSocket socket, CancellationToken cancellationToken)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
        ValueWebSocketReceiveResult received;
        do
        {
            received = await socket.ReceiveAsync(buffer.AsMemory(), cancellationToken);
            if (received.MessageType == WebSocketMessageType.Close)
                break;
            await socket.SendAsync(buffer.AsMemory(0, received.Count), received.MessageType, received.EndOfMessage, cancellationToken);
        }
        while (!received.EndOfMessage);
        ArrayPool<byte>.Shared.Return(buffer);
    }
}

/// <summary>The target of the floor.</summary>
public sealed class NullEchoTarget : Target
{
    public override string Name => Arm.Floor.Target;

    public override IEnumerable<string> Processes(TargetUse use) => use.IsRun ? ["null echo"] : [];

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        block.OpenAllAsync(arms, _ => NullEcho.ChildCommand, stopping, hasStats: false);
}
