using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>
/// Gives Kestrel its connections over TCP with the lean front end (<see cref="LeanConnection"/>); what else it can listen on is its own.
/// </summary>
internal sealed class LeanTransport(IOptions<RelayOptions> relay, IOptions<SocketTransportOptions> options)
    : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    public bool CanBind(EndPoint endpoint) => relay.Value.FrontEnd == FrontEnd.Lean && endpoint is IPEndPoint;

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        var socket = SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint);
        try
        {
            socket.Listen(options.Value.Backlog);
        }
        catch (SocketException)
        {
            socket.Dispose();
            throw;
        }
        return new(new LeanListener(socket));
    }
}
