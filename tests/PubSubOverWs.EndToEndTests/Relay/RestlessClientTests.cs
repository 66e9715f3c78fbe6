using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// Clients whose next bytes are always there, beside others. With the lean front end sessions run on the threads that sockets share, and
/// only real sockets have those.
/// </summary>
public sealed class RestlessClientTests
{
    private const string Begun = "GET /ws HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\n";
    private const string Rest = "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    private const string Request = "GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n";
    private const int AtATime = 200, Rounds = 20;

    /// <param name="frontEnd">Of the server.</param>
    /// <param name="first">That the client sends; a handshake in pieces is left to HTTP.</param>
    /// <param name="rest">Of a handshake; null: it is none.</param>
    [Theory]
    [InlineData("Framework", Begun + Rest, "")]
    [InlineData("Lean", Begun + Rest, "")]
    [InlineData("Lean", Begun, Rest)]
    [InlineData("Framework", Request, null)]
    [InlineData("Lean", Request, null)]
    public async Task A_client_that_sends_without_a_pause_does_not_keep_others_waiting(string frontEnd, string first, string? rest)
    {
        await using var server = await TestServers.DirectAsync(["--Relay:FrontEnd", frontEnd]);
        using var restless = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await restless.ConnectAsync(server.Address.Host, server.Address.Port);
        await restless.SendAsync(Encoding.ASCII.GetBytes(first));
        // Each thread has some of them.
        List<ClientWebSocket> others = [];
        while (others.Count < 2 * Environment.ProcessorCount)
            others.Add(await OpenAsync(server));
        await restless.SendAsync(Encoding.ASCII.GetBytes(rest ?? ""));
        if (rest is not null)
            await restless.SendAsync(Frame("CONNECT\naccept-version:1.2\nhost:test\n\n\0"));
        using var stop = new CancellationTokenSource();

        var one = rest is null ? Encoding.ASCII.GetBytes(Request) : Frame($"SEND\ndestination:/queue/nobody\n\n{new string('x', 300)}\0");
        var flood = FloodAsync(restless, [.. Enumerable.Repeat(one, AtATime).SelectMany(bytes => bytes)], stop.Token);
        await Task.WhenAll(others.Select(TalkAsync)).Patiently();

        Assert.False(flood.IsCompleted);
        await stop.CancelAsync();
        await flood.Patiently();
        others.ForEach(socket => socket.Dispose());
    }

    private static byte[] Frame(string text) => ClientFrames.Write(Opcodes.Text, Encoding.ASCII.GetBytes(text), mask: 0);

    private static async Task<ClientWebSocket> OpenAsync(ChildServer server)
    {
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(new Uri($"ws://{server.Address.Authority}/raw"), CancellationToken.None);
        return socket;
    }

    private static async Task TalkAsync(ClientWebSocket socket)
    {
        var back = new byte[10];
        for (var left = Rounds; left > 0; left--)
        {
            await socket.SendAsync("x"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, CancellationToken.None);
            Assert.Equal(1, (await socket.ReceiveAsync(back, CancellationToken.None)).Count);
        }
    }

    private static async Task FloodAsync(Socket socket, byte[] bytes, CancellationToken stop)
    {
        try
        {
            await Task.WhenAll(SendAsync(), ReadAsync());
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // The others have been served.
        }

        async Task SendAsync()
        {
            while (true)
            {
                for (var sent = 0; sent < bytes.Length;)
                    sent += await socket.SendAsync(bytes.AsMemory(sent), stop);
            }
        }

        async Task ReadAsync()
        {
            var answers = new byte[64 * 1024];
            while (await socket.ReceiveAsync(answers, stop) > 0)
            {
                // Nobody looks at them.
            }
        }
    }
}
