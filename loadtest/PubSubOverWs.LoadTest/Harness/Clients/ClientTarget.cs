using System.Net;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>Where clients connect, resolved once, with the bytes that are the same for every connection.</summary>
public sealed class ClientTarget
{
    public const string Path = "/ws";
    public const string SubProtocol = "v12.stomp";

    /// <summary>
    /// Of servers that are no part of the program: <c>stomp+ws://HOST:PORT/PATH#VHOST</c>, where VHOST is the <c>host</c> of CONNECT
    /// (RabbitMQ: the virtual host), by itself the address.
    /// </summary>
    public const string Scheme = "stomp+ws";

    private readonly string _path;

    private ClientTarget(Uri address, IPEndPoint endPoint, ServerAccess access)
    {
        Address = address;
        EndPoint = endPoint;
        Access = access;
        Host = address.Authority;
        _path = address.Scheme == Scheme ? address.AbsolutePath : Path;
        var virtualHost = Uri.UnescapeDataString(address.Fragment.TrimStart('#'));
        ConnectFrame = StompMessages.Connect(virtualHost.Length > 0 ? virtualHost : endPoint.Address.ToString(), access);
    }

    /// <summary>The server: <c>http://HOST:PORT</c>.</summary>
    public Uri Address { get; }

    public IPEndPoint EndPoint { get; }

    /// <summary>What its clients log in with.</summary>
    public ServerAccess Access { get; }

    /// <summary>The HTTP Host header.</summary>
    public string Host { get; }

    /// <summary>CONNECT, with login and passcode if the server has users.</summary>
    public ReadOnlyMemory<byte> ConnectFrame { get; }

    /// <summary>Of a server without users.</summary>
    /// <inheritdoc cref="ResolveAsync(Uri, ServerAccess, CancellationToken)"/>
    public static Task<ClientTarget> ResolveAsync(Uri address, CancellationToken cancellationToken) =>
        ResolveAsync(address, ServerAccess.None, cancellationToken);

    /// <exception cref="ArgumentException">Not a plain http or ws address: this client has no TLS.</exception>
    /// <exception cref="System.Net.Sockets.SocketException">The name does not resolve.</exception>
    public static async Task<ClientTarget> ResolveAsync(Uri address, ServerAccess access, CancellationToken cancellationToken)
    {
        if (address.Scheme is not ("http" or "ws" or Scheme))
            throw new ArgumentException(
                $"The load runner speaks to http:// and ws:// only, not to {address}: put the load on the plain port.", nameof(address));
        var addresses = await Dns.GetHostAddressesAsync(address.Host, cancellationToken);
        return new ClientTarget(address, new IPEndPoint(addresses[0], address.Port), access);
    }

    /// <summary>The request that turns the connection into a WebSocket (RFC 6455, 4.1).</summary>
    /// <param name="key">From <see cref="UpgradeKey.Create"/>.</param>
    public byte[] UpgradeRequest(string key) => UpgradeRequest(key, _path, SubProtocol);

    /// <inheritdoc cref="UpgradeRequest(string)"/>
    /// <param name="pathAndQuery">Such as <c>/ws?a=b</c>.</param>
    /// <param name="subProtocol">Asked for; null: none.</param>
    public byte[] UpgradeRequest(string key, string pathAndQuery, string? subProtocol) => Encoding.ASCII.GetBytes(
        $"GET {pathAndQuery} HTTP/1.1\r\nHost: {Host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + $"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            + (subProtocol is null ? "\r\n" : $"Sec-WebSocket-Protocol: {subProtocol}\r\n\r\n"));
}
