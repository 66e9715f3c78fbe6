using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Options;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>With the lean front end, the connections over TCP are <see cref="LeanConnection"/>s.</summary>
internal sealed class LeanTransport(
    IOptions<RelayOptions> relay, IOptions<SocketTransportOptions> options, TimeProvider time, ILoggerFactory logs)
    : PortTransport(options, time, logs)
{
    private readonly TimeProvider _time = time;

    protected override (Func<Socket, ConnectionContext> Open, Func<ValueTask> Closed) ConnectionsOf(EndPoint endpoint)
    {
        if (relay.Value.FrontEnd != FrontEnd.Lean || endpoint is not IPEndPoint)
            return base.ConnectionsOf(endpoint);
        var taken = new TakenConnections(_time);
        var closing = new LingeringClose(relay.Value.CloseTimeout, _time);
        return (accepted => new LeanConnection(accepted, taken, closing), () => new(taken.EndAsync()));
    }
}
