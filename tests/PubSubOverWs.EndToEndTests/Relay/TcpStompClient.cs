using System.Net.Sockets;
using System.Text;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A STOMP client on a bare TCP socket: it reads when the test says so, and sees how the connection ends.</summary>
internal sealed class TcpStompClient : IDisposable
{
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp);

    private TcpStompClient()
    {
    }

    /// <param name="server">Where.</param>
    /// <param name="heartBeat">As the header of CONNECT has it.</param>
    public static async Task<TcpStompClient> ConnectAsync(Uri server, string heartBeat = "0,0")
    {
        var client = new TcpStompClient();
        // What waits, waits at the server and not here.
        client._socket.ReceiveBufferSize = 4096;
        await client._socket.ConnectAsync(server.Host, server.Port);
        await client.WriteAsync("GET /ws HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: v12.stomp\r\n\r\n");
        await client.ReadUntilAsync("\r\n\r\n");
        await client.SendAsync($"CONNECT\naccept-version:1.2\nhost:test\nheart-beat:{heartBeat}\n\n\0");
        await client.ReadUntilAsync("CONNECTED");
        return client;
    }

    /// <summary>One frame, in one WebSocket message.</summary>
    public Task SendAsync(string frame) => _socket.SendAsync(ClientFrames.Write(Opcodes.Text, Encoding.UTF8.GetBytes(frame), mask: 0));

    /// <summary>Reads so many bytes, whatever they are.</summary>
    public async Task ReadAsync(int bytes)
    {
        var buffer = new byte[bytes];
        for (var read = 0; read < bytes;)
        {
            var count = await _socket.ReceiveAsync(buffer.AsMemory(read));
            Assert.True(count > 0, "The server closed.");
            read += count;
        }
    }

    /// <summary>Reads until this has come, and returns all that came.</summary>
    public async Task<string> ReadUntilAsync(string end)
    {
        var all = new StringBuilder();
        var buffer = new byte[64 * 1024];
        while (true)
        {
            // What came last, with what may be the beginning of the end before it.
            var tail = all.ToString(Math.Max(0, all.Length - buffer.Length - end.Length), Math.Min(all.Length, buffer.Length + end.Length));
            if (tail.Contains(end, StringComparison.Ordinal))
                return all.ToString();
            var count = await _socket.ReceiveAsync(buffer);
            Assert.True(count > 0, $"The server closed before '{end}' came, after {all.Length} characters.");
            all.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }
    }

    public void Dispose() => _socket.Dispose();

    private Task<int> WriteAsync(string text) => _socket.SendAsync(Encoding.ASCII.GetBytes(text));
}
