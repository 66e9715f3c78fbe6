using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Hosting;

/// <summary>Gives Kestrel its connections: its own, from a <see cref="PortListener"/>.</summary>
internal class PortTransport(IOptions<SocketTransportOptions> options, TimeProvider time, ILoggerFactory logs)
    : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    /// <summary>Other end points are Kestrel's.</summary>
    public bool CanBind(EndPoint endpoint) => endpoint is IPEndPoint or UnixDomainSocketEndPoint;

    /// <exception cref="AddressInUseException">Another process listens there.</exception>
    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        Socket? socket = null;
        try
        {
            socket = options.Value.CreateBoundListenSocket(endpoint);
            socket.Listen(options.Value.Backlog);
            var (open, closed) = ConnectionsOf(endpoint);
            return new(new PortListener(socket, open, closed, time, logs.CreateLogger<PortTransport>(), Descriptors.Limit));
        }
        catch (SocketException error)
        {
            socket?.Dispose();
            throw error.SocketErrorCode == SocketError.AddressAlreadyInUse ? new AddressInUseException(error.Message, error) : error;
        }
    }

    /// <summary>How a socket that was accepted there becomes a connection, and what is done when the port is closed.</summary>
    protected virtual (Func<Socket, ConnectionContext> Open, Func<ValueTask> Closed) ConnectionsOf(EndPoint endpoint)
    {
        var connections = new SocketConnectionContextFactory(
            Like(options.Value), logs.CreateLogger(typeof(SocketTransportOptions).Namespace!));
        return (connections.Create, EndAsync);

        ValueTask EndAsync()
        {
            connections.Dispose();
            return ValueTask.CompletedTask;
        }
    }

    // As Kestrel's SocketConnectionListener does. Options of the public constructor have no part in the server's pool of memory.
    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    private static extern SocketConnectionFactoryOptions Like(SocketTransportOptions transport);
}
