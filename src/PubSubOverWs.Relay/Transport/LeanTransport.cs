using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>
/// Gives Kestrel its connections over TCP with the lean front end (<see cref="LeanConnection"/>); what else it can listen on is its own.
/// </summary>
internal sealed class LeanTransport(
    IOptions<RelayOptions> relay, IOptions<SocketTransportOptions> options, TimeProvider time, ILogger<LeanTransport> log)
    : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    public bool CanBind(EndPoint endpoint) => relay.Value.FrontEnd == FrontEnd.Lean && endpoint is IPEndPoint;

    /// <exception cref="AddressInUseException">Another process listens there.</exception>
    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        Socket? socket = null;
        try
        {
            socket = SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint);
            socket.Listen(options.Value.Backlog);
            return new(new LeanListener(socket, time, log));
        }
        catch (SocketException error)
        {
            socket?.Dispose();
            throw error.SocketErrorCode == SocketError.AddressAlreadyInUse ? new AddressInUseException(error.Message, error) : error;
        }
    }
}
