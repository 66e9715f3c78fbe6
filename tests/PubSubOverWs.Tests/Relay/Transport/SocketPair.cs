using System.Net;
using System.Net.Sockets;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Transport;

/// <summary>Two ends of a connection on loopback: what is tried here is what a system's sockets do.</summary>
internal sealed class SocketPair : IAsyncDisposable
{
    private readonly Socket _server;

    private SocketPair(Socket server, Socket client)
    {
        (_server, Client) = (server, client);
        Server = new LeanConnection(server, Taken);
    }

    /// <summary>Has the server's end when that is taken.</summary>
    public TakenConnections Taken { get; } = new(new FakeTime());

    public LeanConnection Server { get; }

    public Socket Client { get; }

    public static async Task<SocketPair> ConnectAsync()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var client = await ClientOfAsync(listener.LocalEndpoint);
        return new SocketPair(await listener.AcceptSocketAsync(), client);
    }

    /// <summary>A client alone, of a port that listens.</summary>
    public static async Task<Socket> ClientOfAsync(EndPoint port)
    {
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await client.ConnectAsync(port);
        return client;
    }

    /// <summary>So many bytes have come to the server's end and wait there.</summary>
    public bool ServerHas(int bytes) => _server.Available == bytes;

    public Task SendAsync(string text) => Client.SendAsync(System.Text.Encoding.ASCII.GetBytes(text));

    /// <summary>The client cuts the connection, and what was not read is lost.</summary>
    public void Reset()
    {
        Client.LingerState = new LingerOption(enable: true, seconds: 0);
        Client.Dispose();
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await Server.DisposeAsync();
    }
}
