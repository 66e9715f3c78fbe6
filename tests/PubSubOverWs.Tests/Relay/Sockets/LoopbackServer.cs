using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;
using PubSubOverWs.Tests.Relay.Transport;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>
/// The direct server as it is, on a free port of loopback: what is said of sockets is tried over the sockets of the system.
/// </summary>
internal sealed class LoopbackServer : IAsyncDisposable
{
    private readonly WebApplication _app;

    private LoopbackServer(WebApplication app) => _app = app;

    /// <summary>Bytes that it keeps of what clients sent.</summary>
    public long SentTaken => _app.Services.GetRequiredService<RelayContext>().SentBudget.Taken;

    public bool HasSubscribers => _app.Services.GetRequiredService<Subscriptions>().Destinations.Count > 0;

    public RelayMeter Meter => _app.Services.GetRequiredService<RelayMeter>();

    /// <inheritdoc cref="MemoryServer.StartAppAsync"/>
    public static Task<LoopbackServer> StartAsync(FrontEnd frontEnd, params (string Name, string Value)[] settings) =>
        StartAsync(frontEnd, TimeProvider.System, settings);

    /// <inheritdoc cref="MemoryServer.StartAppAsync"/>
    public static async Task<LoopbackServer> StartAsync(
        FrontEnd frontEnd, TimeProvider time, params (string Name, string Value)[] settings) =>
        new(await MemoryServer.StartAppAsync(frontEnd, time, listener: null, settings));

    /// <summary>A client that has sent nothing yet.</summary>
    public async Task<LoopbackClient> ConnectAsync() =>
        new(await SocketPair.ClientOfAsync(new IPEndPoint(IPAddress.Loopback, new Uri(_app.Urls.Single()).Port)));

    /// <summary>A client whose handshake was answered.</summary>
    /// <param name="path">That it asked for.</param>
    /// <param name="received">Gets what came behind the answer.</param>
    public async Task<LoopbackClient> OpenAsync(string path, List<byte> received)
    {
        var client = await ConnectAsync();
        await client.SendAsync(LoopbackClient.Handshake(path));
        var head = await client.ReadHeadAsync(received);
        Assert.StartsWith("HTTP/1.1 101 ", head, StringComparison.Ordinal);
        return client;
    }

    public async ValueTask DisposeAsync()
    {
        await _app.StopAsync();
        await _app.DisposeAsync();
    }
}

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
