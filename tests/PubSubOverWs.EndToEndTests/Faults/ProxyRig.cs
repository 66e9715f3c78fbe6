using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.EndToEndTests.Faults;

/// <summary>A proxy in this process, and a server behind it that the tests play themselves.</summary>
internal sealed class ProxyRig : IAsyncDisposable
{
    private readonly TcpListener _server = new(IPAddress.Loopback, 0);
    private readonly List<Socket> _sockets = [];

    /// <param name="most">Connections that the proxy takes.</param>
    /// <param name="time">Of the proxy; null: a clock that stands still.</param>
    public ProxyRig(int most = 1000, TimeProvider? time = null)
    {
        _server.Start();
        Proxy = new ToxicProxy((IPEndPoint)_server.LocalEndpoint, most, time ?? Time);
        Proxy.Accept();
    }

    public FakeTime Time { get; } = new();

    public ToxicProxy Proxy { get; }

    public void Set(params Toxic[] toxics) => Proxy.Set(new ToxicSet(toxics, Seed: 1));

    /// <summary>A client that is connected to the proxy, and perhaps to nothing behind it.</summary>
    public async Task<Socket> DialAsync()
    {
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        lock (_sockets)
            _sockets.Add(client);
        await client.ConnectAsync(Proxy.EndPoint);
        return client;
    }

    /// <summary>Both ends of a connection through the proxy. One after the other: who belongs to whom is known by the order.</summary>
    public async Task<(Socket Client, Socket Server)> ConnectAsync()
    {
        var before = Proxy.Counts.Open;
        var client = await DialAsync();
        var server = await _server.AcceptSocketAsync();
        lock (_sockets)
            _sockets.Add(server);
        await Waiting.UntilAsync(() => Proxy.Counts.Open == before + 1);
        return (client, server);
    }

    /// <summary>Stops the server behind the proxy.</summary>
    public void StopServer() => _server.Stop();

    public static async Task<byte[]> ReceiveAsync(Socket socket, int count)
    {
        var bytes = new byte[count];
        for (var got = 0; got < count;)
        {
            var read = await socket.ReceiveAsync(bytes.AsMemory(got)).AsTask().Patiently();
            Assert.NotEqual(0, read);
            got += read;
        }
        return bytes;
    }

    /// <summary>The result of connecting a new client that sends nothing.</summary>
    public async Task<SocketError> EndOfNewAsync()
    {
        try
        {
            return await EndOfAsync(await DialAsync());
        }
        catch (SocketException error)
        {
            return error.SocketErrorCode; // It was too late to connect even.
        }
    }

    /// <summary>The result of the next read: <see cref="SocketError.Success"/> is an ordinary end.</summary>
    public static async Task<SocketError> EndOfAsync(Socket socket)
    {
        try
        {
            Assert.Equal(0, await socket.ReceiveAsync(new byte[1]).Patiently());
            return SocketError.Success;
        }
        catch (SocketException error)
        {
            return error.SocketErrorCode;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Proxy.DisposeAsync();
        _server.Dispose();
        foreach (var socket in _sockets)
            socket.Dispose();
    }
}
