using System.Net.Sockets;
using System.Text;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>Bytes to and from a server, as the socket of a client sees them.</summary>
internal sealed class LoopbackClient(Socket socket) : IDisposable
{
    // The system acknowledges at once: on a clock that a test moves, the server need not wait for that.
    private const int Tcp = 6, QuickAck = 12;

    private readonly byte[] _buffer = new byte[64 * 1024];

    public static byte[] Handshake(string path) => Encoding.ASCII.GetBytes(
        $"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");

    public async Task SendAsync(ReadOnlyMemory<byte> bytes) => await socket.SendAsync(bytes).AsTask().Patiently();

    /// <summary>The client sends no more.</summary>
    public void Complete() => socket.Shutdown(SocketShutdown.Send);

    /// <summary>Appends what the server sends next. False: it has ended.</summary>
    /// <exception cref="SocketException">It has reset the connection.</exception>
    public async Task<bool> ReceiveAsync(List<byte> received)
    {
        var count = await socket.ReceiveAsync(_buffer).Patiently();
        if (OperatingSystem.IsLinux())
            socket.SetRawSocketOption(Tcp, QuickAck, BitConverter.GetBytes(1));
        received.AddRange(_buffer.AsSpan(0, count));
        return count > 0;
    }

    /// <summary>All that comes until the server ends.</summary>
    public async Task<List<byte>> ReadAllAsync(List<byte> received)
    {
        while (await ReceiveAsync(received))
        {
            // Until the server ends it.
        }
        return received;
    }

    /// <summary>The head of an answer.</summary>
    /// <param name="rest">Gets what came behind it.</param>
    public async Task<string> ReadHeadAsync(List<byte> rest)
    {
        List<byte> head = [];
        int end;
        while ((end = head.ToArray().AsSpan().IndexOf("\r\n\r\n"u8)) < 0)
            Assert.True(await ReceiveAsync(head), "The handshake was not answered.");
        rest.AddRange(head.Skip(end + 4));
        return Encoding.ASCII.GetString([.. head.Take(end)]);
    }

    public void Dispose() => socket.Dispose();
}
