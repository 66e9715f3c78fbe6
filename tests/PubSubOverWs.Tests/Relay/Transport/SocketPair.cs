using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Transport;

/// <summary>Two ends of a connection on loopback: what is tried here is what a system's sockets do.</summary>
internal sealed class SocketPair : IAsyncDisposable
{
    private SocketPair(Socket server, Socket client)
    {
        (ServerSocket, Client) = (server, client);
        Server = new LeanConnection(server, Taken, new LingeringClose(CloseTimeout, Time));
    }

    /// <summary>For which a client that does not end is waited for.</summary>
    public static TimeSpan CloseTimeout { get; } = TimeSpan.FromSeconds(5);

    public FakeTime Time { get; } = new();

    /// <summary>Has the server's end when that is taken.</summary>
    public TakenConnections Taken { get; } = new(new FakeTime());

    public LeanConnection Server { get; }

    public Socket ServerSocket { get; }

    public Socket Client { get; }

    /// <param name="mostOnItsWay">About how many bytes the system takes while the client reads none; null: its default.</param>
    public static async Task<SocketPair> ConnectAsync(int? mostOnItsWay = null)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        // Those that are accepted inherit it.
        if (mostOnItsWay is { } bytes)
            listener.Server.SendBufferSize = bytes;
        var client = await ClientOfAsync(listener.LocalEndpoint, mostOnItsWay is null ? null : 4096);
        return new SocketPair(await listener.AcceptSocketAsync(), client);
    }

    /// <summary>A client alone, of a port that listens.</summary>
    public static async Task<Socket> ClientOfAsync(EndPoint port, int? receiveBuffer = null)
    {
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        if (receiveBuffer is { } bytes)
            client.ReceiveBufferSize = bytes;
        await client.ConnectAsync(port);
        return client;
    }

    /// <summary>The server's end as a WebSocket whose handshake is over.</summary>
    public (WebSocket Socket, IWire Wire) Open(FrontEnd frontEnd)
    {
        if (frontEnd == FrontEnd.Lean && new LeanSocket(Server, null) is var lean)
            return (lean, lean);
        ServerSocket.Blocking = true;
        var stream = new CorkedStream(new NetworkStream(ServerSocket, ownsSocket: true), ServerSocket);
        return (WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true }), stream);
    }

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
        await (ServerSocket.SafeHandle.IsClosed ? ValueTask.CompletedTask : Server.DisposeAsync());
    }
}
