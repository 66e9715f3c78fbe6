using System.Buffers;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.EndToEndTests.Load;

/// <summary>
/// A STOMP server that does to each user's message what a test says: the injected faults that the load runner must count exactly.
/// It runs in this process and knows a user by the end of the destination: <c>/queue/RUN-ITERATION-USER</c>.
/// </summary>
internal sealed class FaultyServer : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly Func<int, Fault> _fault;
    private int _open;
    private int _accepted;

    private FaultyServer(Func<int, Fault> fault)
    {
        _fault = fault;
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        _app = builder.Build();
        _app.UseWebSockets();
        _app.Map("/ws", AcceptAsync);
    }

    /// <summary>The fault of a user or of its message.</summary>
    public enum Fault
    {
        None,
        Refuse,
        LogInError,
        Lose,
        Duplicate,
        Corrupt,
        Foreign,
        Late,
        Close,
    }

    /// <summary>A message that is to be late has come.</summary>
    public TaskCompletionSource HoldsBack { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Lets the late messages go.</summary>
    public TaskCompletionSource LetGo { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Uri Address => new(_app.Urls.First());

    public int OpenConnections => Volatile.Read(ref _open);

    /// <param name="fault">By user; a refusal by the order of connection, as nobody is known yet.</param>
    public static async Task<FaultyServer> StartAsync(Func<int, Fault> fault)
    {
        var server = new FaultyServer(fault);
        await server._app.StartAsync();
        return server;
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private async Task AcceptAsync(HttpContext context)
    {
        var order = Interlocked.Increment(ref _accepted) - 1;
        Interlocked.Increment(ref _open);
        try
        {
            if (_fault(order) == Fault.Refuse)
            {
                context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
                return;
            }
            using var socket = await context.WebSockets.AcceptWebSocketAsync("v12.stomp");
            await ServeAsync(socket, order);
        }
        catch (WebSocketException)
        {
            // The client is gone.
        }
        finally
        {
            Interlocked.Decrement(ref _open);
        }
    }

    private async Task ServeAsync(WebSocket socket, int order)
    {
        var buffer = new byte[4096];
        while (true)
        {
            var received = await socket.ReceiveAsync(buffer, CancellationToken.None);
            if (received.MessageType == WebSocketMessageType.Close)
                break;
            foreach (var answer in Answers(buffer.AsSpan(0, received.Count), order, out var closes, out var late))
            {
                if (late)
                {
                    HoldsBack.TrySetResult();
                    await LetGo.Task;
                }
                await socket.SendAsync(answer, WebSocketMessageType.Text, true, CancellationToken.None);
                if (!closes)
                    continue;
                await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None); // Waits for the client's answer.
                return;
            }
        }
        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);
    }

    private List<byte[]> Answers(ReadOnlySpan<byte> bytes, int order, out bool closes, out bool late)
    {
        (closes, late) = (false, false);
        if (!new StompReader(new StompLimits()).TryRead(bytes, out var frame, out _))
            return [];
        switch (frame.Command)
        {
            case StompCommand.Connect:
                closes = _fault(order) == Fault.LogInError;
                return [closes ? Frame("ERROR\nmessage:no room\n\n\0"u8) : Frame("CONNECTED\nversion:1.2\n\n\0"u8)];
            case StompCommand.Subscribe:
                return [Frame("RECEIPT\nreceipt-id:s\n\n\0"u8)];
            case StompCommand.Send:
                var id = frame.GetString(StompNames.Id)!;
                var fault = _fault(int.Parse(id[(id.LastIndexOf('-') + 1)..]));
                closes = fault == Fault.Close;
                late = fault == Fault.Late;
                return Deliveries(fault, id, frame.Body);
            default:
                return [];
        }
    }

    private static List<byte[]> Deliveries(Fault fault, string id, ReadOnlySpan<byte> body)
    {
        var corrupted = body.ToArray();
        corrupted[^1] ^= 1;
        return fault switch
        {
            Fault.Lose => [],
            Fault.Duplicate => [Message(id, body), Message(id, body)],
            Fault.Corrupt => [Message(id, corrupted)],
            Fault.Foreign => [Message("another", Payload.Write(100, "another", 0, 0)), Message(id, body)],
            Fault.Close => [Frame("ERROR\nmessage:shutting down\n\n\0"u8)],
            _ => [Message(id, body)],
        };
    }

    private static byte[] Message(string id, ReadOnlySpan<byte> body)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new StompWriter(output, StompVersion.V12);
        writer.Begin(StompCommand.Message);
        writer.Header(StompNames.Id, id);
        writer.Header(StompNames.ContentLength, body.Length);
        writer.End(body);
        return output.WrittenSpan.ToArray();
    }

    private static byte[] Frame(ReadOnlySpan<byte> text) => text.ToArray();
}
