using System.Net;
using System.Net.Sockets;

namespace PubSubOverWs.Sqs;

/// <summary>The connections to the queue.</summary>
internal static class SqsHandler
{
    private static readonly IPAddress ClientLoopback = IPAddress.Parse("127.0.0.2");

    public static SocketsHttpHandler Create(Uri endpoint)
    {
        var handler = new SocketsHttpHandler
        {
            // Tracing would add headers that are not signed, and cost time.
            ActivityHeadersPropagator = null,
            AllowAutoRedirect = false,
            AutomaticDecompression = DecompressionMethods.None,
            UseCookies = false,
            ConnectTimeout = TimeSpan.FromSeconds(5),
            // AWS answers from changing addresses: look its name up again now and then.
            PooledConnectionLifetime = TimeSpan.FromMinutes(5),
        };
        if (endpoint.HostNameType == UriHostNameType.IPv4 && endpoint.IsLoopback)
        {
            handler.UseProxy = false;
            if (OperatingSystem.IsLinux() || OperatingSystem.IsWindows())
                handler.ConnectCallback = ConnectFromOtherAddressAsync;
        }
        return handler;
    }

    /// <summary>
    /// From 127.0.0.2: a retry against the port of a server that is down could otherwise be given that very port, and connect to itself
    /// (TCP simultaneous open).
    /// </summary>
    private static async ValueTask<Stream> ConnectFromOtherAddressAsync(
        SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            socket.Bind(new IPEndPoint(ClientLoopback, 0));
            await socket.ConnectAsync(IPAddress.Parse(context.DnsEndPoint.Host), context.DnsEndPoint.Port, cancellationToken);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
